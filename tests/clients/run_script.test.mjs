// ./run without arguments, on a port that the kernel chooses: what it prints works when it is typed.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { emptyHome, environment, npmFolder } from './analyst_server.mjs';
import { listTables } from './conversation.mjs';

const run = path.join(path.dirname(path.dirname(npmFolder)), 'run');
const patienceMs = 120000;  // it looks whether all is built

// A started ./run: {child, shown, said, ended}; `ended` resolves to its exit code.
function start(t, home, address) {
  const env = { ...process.env, ...environment(home), DUCAT_HTTP: address };
  const child = spawn(run, [], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const started = { child, shown: '', said: '' };
  child.stdout.on('data', (bytes) => { started.shown += bytes; });
  child.stderr.on('data', (bytes) => { started.said += bytes; });
  started.ended = new Promise((resolve) => { child.on('close', resolve); });
  t.after(async () => { child.kill('SIGTERM'); await started.ended; });
  return started;
}

async function listens(started) {
  for (const end = Date.now() + patienceMs; Date.now() < end && !/Ctrl-C/.test(started.shown);) await sleep(50);
  assert.match(started.shown, /Ctrl-C/, started.said);
  return started.shown.match(/^Ducat serves examples\/data at (\S+)$/m)[1];
}

async function connect(transport) {
  const client = new Client({ name: 'ducat-tests', version: '1.0.0' });
  await client.connect(transport);
  try {
    await listTables(client);
  } finally {
    await client.close();
  }
}

test('./run serves the example data and says how to reach it', async (t) => {
  const home = emptyHome(t);
  const server = start(t, home, '127.0.0.1:0');
  const url = await listens(server);
  assert.match(server.said, new RegExp(`^listening on ${url}$`, 'm'));

  await t.test('by curl', async (step) => {
    const line = server.shown.split('\n').find((each) => each.startsWith('curl '));
    const { error, stdout } = await new Promise((resolve) => {
      execFile('bash', ['-c', line], (failed, out) => resolve({ error: failed, stdout: out }));
    });
    if (error?.code === 127) return step.skip('there is no curl');
    assert.deepEqual(JSON.parse(stdout).result.structuredContent.rows.map(([, orders]) => orders).sort(), [256, 257, 323, 364]);
  });

  const [overHttp, overStdio] = [...server.shown.matchAll(/^\{"mcp.*\}$|^\{\n[^]*?^\}$/gm)].map(([text]) => JSON.parse(text));
  await connect(new StreamableHTTPClientTransport(new URL(overHttp.mcpServers.ducat.url)));
  await connect(new StdioClientTransport({ ...overStdio.mcpServers.ducat, env: environment(home), stderr: 'ignore' }));

  const second = start(t, home, new URL(url).host);
  assert.equal(await second.ended, 1);
  assert.match(second.said, /Cannot listen on .*: Address already in use[^]*DUCAT_HTTP=/);
  assert.equal(second.shown, '');

  server.child.kill('SIGINT');
  assert.equal(await server.ended, 0, server.said);
});
