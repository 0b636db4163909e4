// The MCP Inspector's command line, one process a method, in each of the eras that it can speak.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { args, command, emptyHome, environment, npmFolder } from './analyst_server.mjs';
import { toolNames } from './conversation.mjs';
import { serveHttp } from './http_server.mjs';

const inspector = path.join(npmFolder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const exitToolError = 5;

// Resolves to {code, reply, text} of one run; `reply` is the printed JSON when there is any.
function inspect(home, config, ...rest) {
  const argv = [inspector, '--cli', '--config', config, '--server', 'ducat', '--format', 'json', ...rest];
  const env = { ...environment(home), MCP_INSPECTOR_SECRET_STORE: 'memory' };
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { env, cwd: home, timeout: 60000, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      let reply = null;
      try { reply = JSON.parse(stdout); } catch { /* shown by the assertion on it */ }
      resolve({ code: error ? error.code : 0, reply, text: `${stdout}${stderr}` });
    });
  });
}

function callTool(name, toolArgs) {
  return ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(toolArgs)];
}

// What every run does, each step a process of its own; `entry` is the server's in the configuration.
async function talk(home, entry) {
  const config = path.join(home, 'servers.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { ducat: entry } }));
  const ok = async (...rest) => {
    const { code, reply, text } = await inspect(home, config, ...rest);
    assert.equal(code, 0, text);
    assert.ok(reply, text);
    return reply.result ?? reply;
  };

  const { tools } = await ok('--method', 'tools/list', '--strict');
  for (const name of toolNames) assert.ok(tools.some((tool) => tool.name === name), `${name} is listed`);

  const listed = await ok(...callTool('list_tables', { wait_ms: 30000 }));
  assert.ok(listed.structuredContent.tables.some((table) => table.name === 'orders'));
  const described = await ok(...callTool('describe_table', { name: 'orders' }));
  assert.equal(described.structuredContent.row_count, 1200);
  const counted = await ok(...callTool('query', { sql: 'SELECT count(*) AS n FROM web_events' }));
  assert.deepEqual(counted.structuredContent.rows, [[900]]);
  const searched = await ok(...callTool('search_columns', { pattern: 'subscriber_id', wait_ms: 30000 }));
  assert.equal(searched.structuredContent.total, 3);
  const refused = await inspect(home, config, ...callTool('query', { sql: 'DROP TABLE orders' }));
  assert.equal(refused.code, exitToolError, refused.text);

  const schema = await ok('--method', 'resources/read', '--uri', 'duckdb://schema');
  assert.match(schema.contents[0].text, /orders/);
  const { prompts } = await ok('--method', 'prompts/list');
  assert.ok(prompts.some((prompt) => prompt.name === 'analyze_table'));
  const prompt = await ok('--method', 'prompts/get', '--prompt-name', 'analyze_table', '--prompt-args', 'table=orders');
  assert.equal(prompt.messages[0].role, 'user');
}

for (const protocolEra of ['legacy', 'auto', 'modern']) {
  test(`Inspector CLI over stdio, ${protocolEra}`, async (t) => {
    const home = emptyHome(t);
    await talk(home, { command, args, env: environment(home), protocolEra });
  });

  test(`Inspector CLI over HTTP, ${protocolEra}`, async (t) => {
    const { url, home } = await serveHttp(t);
    await talk(home, { type: 'streamable-http', url, protocolEra });
  });
}
