// mcporter's command line over both transports, one process a call. It has no prompts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { args, command, emptyHome, environment, npmFolder } from './analyst_server.mjs';
import { tableNames, toolNames } from './conversation.mjs';
import { serveHttp } from './http_server.mjs';

const mcporter = path.join(npmFolder, 'node_modules/mcporter/dist/cli.js');

// Resolves to {code, stdout, stderr} of one run.
function run(home, ...argv) {
  const options = { env: environment(home), cwd: home, timeout: 60000, maxBuffer: 1 << 24 };
  return new Promise((resolve) => {
    execFile(process.execPath, [mcporter, ...argv], options, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
}

// `entry` is the server's in the configuration that every run reads.
async function talk(home, entry) {
  mkdirSync(path.join(home, 'config'));
  writeFileSync(path.join(home, 'config/mcporter.json'), JSON.stringify({ mcpServers: { ducat: entry } }));
  const ok = async (...argv) => {
    const { code, stdout, stderr } = await run(home, ...argv);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  const call = async (tool, toolArgs) =>
    JSON.parse(await ok('call', `ducat.${tool}`, '--args', JSON.stringify(toolArgs), '--output', 'json'));

  const listed = await ok('list', 'ducat', '--schema');
  for (const name of toolNames) assert.ok(listed.includes(name), `${name} is listed`);
  const { tables } = await call('list_tables', { wait_ms: 30000 });
  for (const name of tableNames) assert.ok(tables.some((table) => table.name === name), `${name} is there`);
  assert.equal((await call('describe_table', { name: 'orders' })).row_count, 1200);
  assert.deepEqual((await call('query', { sql: 'SELECT count(*) AS n FROM web_events' })).rows, [[900]]);
  assert.equal((await call('search_columns', { pattern: 'subscriber_id', wait_ms: 30000 })).total, 3);
  const refused = await run(home, 'call', 'ducat.query', '--args', '{"sql":"DROP TABLE orders"}', '--output', 'json');
  assert.match(refused.stdout + refused.stderr, /denied_keyword/);
  assert.match(await ok('resource', 'ducat', 'duckdb://schema/orders'), /amount_eur/);
}

test('mcporter over stdio', async (t) => {
  const home = emptyHome(t);
  await talk(home, { command, args, env: environment(home) });
});

test('mcporter over HTTP', async (t) => {
  const { url, home } = await serveHttp(t);
  await talk(home, { url, allowHttp: true });
});

test('mcporter without a configuration', async (t) => {
  const { url, home } = await serveHttp(t);
  const overHttp = await run(home, 'call', '--allow-http', `${url}.list_tables`, 'wait_ms=30000');
  assert.equal(overHttp.code, 0, overHttp.stderr);
  assert.match(overHttp.stdout, /orders/);
  const overStdio = await run(home, 'call', '--stdio', [command, ...args].join(' '), 'list_tables', 'wait_ms=30000');
  assert.equal(overStdio.code, 0, overStdio.stderr);
  assert.match(overStdio.stdout, /orders/);
});
