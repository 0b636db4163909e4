// S-15: after 1,000,000 mutated messages on one stdio process a good one is answered, every line of
// its output is JSON-RPC, and its memory has not grown with them. The same seed, the same messages.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import readline from 'node:readline';
import test from 'node:test';

import { args, command, emptyHome, environment } from './analyst_server.mjs';

const messages = 1_000_000;
const grownMiBMax = 16;
const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'mutations', version: '1' } };

// None of them runs SQL: the workers are not what is tried here.
const seeds = [
  { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'm', version: '1' } } },
  { method: 'server/discover', params: { _meta: meta } },
  { method: 'tools/list', params: { cursor: 'bm90IGEgY3Vyc29y', _meta: meta } },
  { method: 'tools/call', params: { name: 'list_tables', arguments: { limit: 1e3 }, _meta: meta } },
  { method: 'tools/call', params: { name: 'no_such_tool', arguments: { a: [1, { b: null }] }, _meta: { ...meta, progressToken: 7 } } },
  { method: 'resources/read', params: { uri: 'duckdb://schema/%6e\u00e9', _meta: meta } },
  { method: 'prompts/get', params: { name: 'analyze_table', arguments: { table: 'x\ud83d\ude00' }, _meta: meta } },
  { method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'analyze_table' }, argument: { name: 'table', value: 'o' }, _meta: meta } },
  { method: 'logging/setLevel', params: { level: 'debug' } },
  { method: 'ping' },
  { method: 'tasks/get', params: { taskId: '0123456789abcdef', _meta: meta } },
  { method: 'notifications/cancelled', params: { requestId: 3, reason: 'r' } },
].map((message, id) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: id + 1, ...message })));

// Marsaglia's xorshift32: https://www.jstatsoft.org/article/view/v008i14
function randomNumbers(state) {
  return (below) => {
    state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const pieces = ['"', '\\', '{', '}', '[', ']', ',', ':', '0', '-1e999', 'null', '\\u0000', '\\ud800', '\xff', '\0', '"id":', ' ', '\r'];

function mutate(message, random) {
  const at = random(message.length);
  switch (random(6)) {
    case 0: { const copy = Buffer.from(message); copy[at] ^= 1 << random(8); return copy; }
    case 1: return message.subarray(0, at);
    case 2: return Buffer.concat([message.subarray(0, at), message.subarray(at + 1 + random(20))]);
    case 3: return Buffer.concat([message.subarray(0, at), Buffer.from(pieces[random(pieces.length)], 'latin1'), message.subarray(at)]);
    case 4: { const other = seeds[random(seeds.length)]; return Buffer.concat([message.subarray(0, at), other.subarray(random(other.length))]); }
    default: return Buffer.concat([message.subarray(0, at), message.subarray(at).subarray(0, random(30)), message.subarray(at)]);
  }
}

function* lines(count, random) {
  for (let i = 0; i < count; ++i) {
    let message = seeds[random(seeds.length)];
    for (let times = 1 + random(3); times > 0 && message.length > 0; --times) message = mutate(message, random);
    yield Buffer.concat([Buffer.from(message.map((byte) => byte === 10 ? 32 : byte)), Buffer.from('\n')]);
  }
}

const residentMiB = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;

// In batches, each followed by a good message whose answer is awaited: a client that reads more slowly than it writes would
// measure the buffers between both.
async function send(server, from, settle) {
  let batch = [];
  for (const line of from) {
    if (batch.push(line) < 512) continue;
    server.stdin.write(Buffer.concat(batch));
    batch = [];
    await settle();
  }
  server.stdin.write(Buffer.concat(batch));
  await settle();
}

test('a million mutated messages change nothing for the good one after them', { timeout: 600_000 }, async (t) => {
  const server = spawn(command, [...args, '--log-level', 'silent'], { stdio: ['pipe', 'pipe', 'ignore'], env: environment(emptyHome(t)) });
  t.after(() => server.kill('SIGKILL'));
  const exited = once(server, 'exit');
  const waiting = new Map();
  let answers = 0;
  readline.createInterface({ input: server.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    for (const one of Array.isArray(message) ? message : [message]) assert.equal(one.jsonrpc, '2.0', line);
    ++answers;
    waiting.get(message.id)?.(message);
  });
  let asked = 0;
  const ask = async () => {
    const id = `good-${++asked}`;
    const params = { name: 'list_tables', arguments: {}, _meta: meta };
    const answered = new Promise((resolve) => { waiting.set(id, resolve); });
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    const answer = await answered;
    waiting.delete(id);
    assert.match(JSON.stringify(answer.result), /orders/);
  };
  await ask();
  const random = randomNumbers(20_260_728);
  await send(server, lines(messages / 10, random), ask);
  const warm = residentMiB(server.pid);
  await send(server, lines(messages - messages / 10, random), ask);
  assert.ok(residentMiB(server.pid) - warm < grownMiBMax, `${warm} MiB grew to ${residentMiB(server.pid)}`);
  assert.ok(answers > messages / 10, `${answers} answers`);
  server.stdin.end();
  assert.deepEqual(await exited, [0, null]);
});
