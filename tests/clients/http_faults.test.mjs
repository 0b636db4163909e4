// Clients that misbehave, and workers that die, over HTTP: everybody else is served, memory and
// descriptors come back. The fixture server is the sanitizers' build, so a leak fails its exit.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { args, command, emptyHome, environment, npmFolder } from './analyst_server.mjs';

const root = path.dirname(path.dirname(npmFolder));
const fixture = path.join(root, 'build/dev/bin/ducat-conformance');
const connectionsMax = 4096;  // the limit's default

// Resolves to {pid, port}; the test fails unless the server ends well.
function start(t, program, parameters, env) {
  const server = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let errors = '';
  const ended = new Promise((resolve) => { server.on('close', resolve); });
  t.after(async () => { server.kill('SIGTERM'); assert.equal(await ended, 0, errors); });
  return new Promise((resolve, reject) => {
    server.stderr.on('data', (bytes) => {
      errors += bytes;
      const found = errors.match(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
      if (found) resolve({ pid: server.pid, port: Number(found[1]) });
    });
    server.on('close', () => reject(new Error(`the server ended: ${errors}`)));
  });
}

// A quarantine of freed memory would hide what comes back.
const startFixture = (t) => start(t, fixture, ['--http', '127.0.0.1:0'], { ...process.env, ASAN_OPTIONS: 'quarantine_size_mb=1' });

const descriptors = (pid) => readdirSync(`/proc/${pid}/fd`).length;
const residentMiB = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;
const descriptorLimit = () => Number(readFileSync('/proc/self/limits', 'utf8').match(/Max open files\s+(\d+)/)[1]);

function callBody(tool, toolArguments) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: toolArguments, _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'faults', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {} } } });
}

function headers(tool, body) {
  return { Host: 'localhost', 'Content-Type': 'application/json', Accept: 'application/json', 'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call', 'Mcp-Name': tool, 'Content-Length': Buffer.byteLength(body) };
}

// The bytes of one call.
function rawCall(tool, toolArguments) {
  const body = callBody(tool, toolArguments);
  const lines = Object.entries(headers(tool, body)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

// One call on a connection of its own, or of `agent`. Resolves to {status, body}.
function call(port, tool, toolArguments, agent) {
  const body = callBody(tool, toolArguments);
  return new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent, headers: headers(tool, body) }, (response) => {
      let text = '';
      response.on('data', (bytes) => { text += bytes; });
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function echoes(port, agent) {
  const answer = await call(port, 'echo', { message: 'hello' }, agent);
  assert.equal(answer.body.result.content[0].text, 'Echo: hello');
}

const connect = (port) => new Promise((resolve) => {
  const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
  socket.on('error', () => resolve(socket));
});

async function until(what, condition) {
  for (let tries = 0; tries < 300; ++tries) {
    if (condition()) return;
    await pause(100);
  }
  assert.fail(`not within 30 s: ${what}`);
}

test('ten thousand connections at once: the surplus is refused, nobody else is hurt', async (t) => {
  const wanted = 10000;
  if (descriptorLimit() < wanted + 100) { t.skip(`needs ${wanted + 100} descriptors, ${descriptorLimit()} are allowed`); return; }
  const { pid, port } = await startFixture(t);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  await echoes(port, agent);
  const before = descriptors(pid);
  const sockets = [];
  let refused = 0;
  for (let opened = 0; opened < wanted; opened += 500) {
    const more = await Promise.all(Array.from({ length: 500 }, () => connect(port)));
    for (const socket of more) {
      socket.once('data', (bytes) => { if (/^HTTP\/1\.1 503 [\s\S]*retry-after: \d/i.test(bytes.toString())) ++refused; });
    }
    sockets.push(...more);
    await echoes(port, agent);
  }
  await until('every surplus connection is refused', () => refused >= wanted - connectionsMax);
  assert.ok(descriptors(pid) <= before + connectionsMax, `${descriptors(pid)} descriptors are open`);
  for (const socket of sockets) socket.destroy();
  await until('the descriptors come back', () => descriptors(pid) <= before + 2);
  await echoes(port);
  agent.destroy();
});

test('half-sent requests leave nothing behind', async (t) => {
  const { pid, port } = await startFixture(t);
  await echoes(port);
  const before = descriptors(pid);
  const whole = rawCall('echo', { message: 'x'.repeat(5000) });
  for (let part = 1; part <= 200; ++part) {
    const socket = await connect(port);
    socket.write(whole.slice(0, Math.floor(whole.length * part / 201)));
    socket.destroy();
  }
  await until('the descriptors come back', () => descriptors(pid) <= before);
  await echoes(port);
});

test('clients that ask for much and read nothing are not buffered', async (t) => {
  const { pid, port } = await startFixture(t);
  await echoes(port);
  const before = residentMiB(pid);
  const whole = rawCall('echo', { message: 'x'.repeat(900000) });
  const requestsEach = 55;  // fifty megabytes of answers for each of twenty
  const sockets = await Promise.all(Array.from({ length: 20 }, () => connect(port)));
  for (const socket of sockets) {
    socket.pause();
    for (let i = 0; i < requestsEach; ++i) socket.write(whole);
  }
  let most = 0;
  for (let look = 0; look < 20; ++look) {
    await echoes(port);
    most = Math.max(most, residentMiB(pid));
    await pause(100);
  }
  t.diagnostic(`resident: ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)}`);
  assert.ok(most - before < 300, `1,000 MiB are asked for, ${(most - before).toFixed(0)} MiB are kept`);
  for (const socket of sockets) socket.destroy();
  await echoes(port);
});

// The child that has used most of the processor: the worker that runs the long query.
function busiestChild(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const used = (each) => Number(readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')[1].split(' ')[11]);
  return children.sort((left, right) => used(right) - used(left))[0];
}

test('a worker killed in the middle of an answer costs this answer alone', async (t) => {
  const server = ['serve', '--http', '127.0.0.1:0', ...args.slice(1)];
  const { pid, port } = await start(t, command, server, environment(emptyHome(t)));
  const small = { sql: 'SELECT 42 AS answer' };
  assert.equal((await call(port, 'query', small)).body.result.isError ?? false, false);
  // A SIGKILL is out of memory only when the kernel's counter of such kills says so (guard.md 3.3).
  for (const [signal, reason] of [['SIGSEGV', /worker_crashed/], ['SIGKILL', /worker_crashed/]]) {
    const long = call(port, 'query', { sql: `SELECT count(*) FROM range(100000000000) a, range(100000) b -- ${signal}` });
    await pause(1500);
    const other = call(port, 'query', small);
    process.kill(busiestChild(pid), signal);
    const answer = (await long).body.result;
    assert.equal(answer.isError, true);
    assert.match(answer.content[0].text, reason);
    for (const each of [await other, await call(port, 'query', small)]) {
      assert.equal(each.body.result.structuredContent.rows[0][0], 42, JSON.stringify(each.body));
    }
  }
});
