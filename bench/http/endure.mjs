// node bench/http/endure.mjs [REQUESTS SESSIONS]: what P-04 to P-06 and P-08 of protocol.md 19 ask, on
// ducat-conformance (`scripts/build bench`): latency beside idle connections and beside a slow tool, memory
// over many requests and sessions, and how soon a change reaches a thousand listen streams.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const program = path.join(here, '../../build/bench/bin/ducat-conformance');
const requests = Number(process.argv[2] ?? 1_000_000);
const sessions = Number(process.argv[3] ?? 100_000);
const modern = '2026-07-28';
const meta = { 'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'endure', version: '1' } };

function start() {
  const server = spawn(program, ['--http', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    server.stderr.on('data', (bytes) => {
      const found = bytes.toString().match(/127\.0\.0\.1:(\d+)/);
      if (found) resolve({ server, port: Number(found[1]) });
    });
    server.on('close', () => reject(new Error('the server ended')));
  });
}

const residentKiB = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]);

function post(port, agent, method, params, headers = {}, onData = null) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent, headers: {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers } }, (response) => {
      let text = '';
      response.on('data', (bytes) => { text += bytes; onData?.(text, response); });
      response.on('end', () => resolve({ response, text }));
      response.on('error', () => resolve({ response, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

function modernPost(port, agent, method, params = {}, onData = null) {
  const headers = { 'MCP-Protocol-Version': modern, 'Mcp-Method': method };
  if (params.name) headers['Mcp-Name'] = params.name;
  return post(port, agent, method, { ...params, _meta: meta }, headers, onData);
}

function wrk(port, connections, duration) {
  const text = execFileSync('wrk', ['-t1', `-c${connections}`, `-d${duration}s`, '--latency', '-s', path.join(here, 'echo.lua'),
    `http://127.0.0.1:${port}/mcp`], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [count, , errors, p50, p99] = text.match(/RESULT (.*)/)[1].split(' ').map(Number);
  return { count, errors, p50, p99 };
}

async function besideIdle(port) {
  const idle = await Promise.all(Array.from({ length: 1000 }, () => new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
  })));
  const { p50, p99, errors } = wrk(port, 64, 5);
  for (const socket of idle) socket.destroy();
  console.log(`P-04  1,000 idle and 64 active connections: p50 ${p50} us, p99 ${p99} us (target below 5,000), ${errors} errors`);
}

async function besideSlowTool(port) {
  const agent = new http.Agent({ keepAlive: true });
  const slow = modernPost(port, agent, 'tools/call', { name: 'slow', arguments: { ms: 5000 } });
  const took = [];
  for (const end = performance.now() + 4500; performance.now() < end;) {
    const before = performance.now();
    await modernPost(port, agent, 'server/discover');
    took.push(performance.now() - before);
    await pause(10);
  }
  await slow;
  agent.destroy();
  took.sort((left, right) => left - right);
  console.log(`P-06  server/discover while a tool runs for 5 s: median ${took[took.length >> 1].toFixed(2)} ms, `
    + `worst of ${took.length} ${took.at(-1).toFixed(2)} ms (target below 10)`);
}

function manyRequests(pid, port) {
  let done = 0;
  const upTo = (target) => { while (done < target) done += wrk(port, 16, 2).count; return residentKiB(pid); };
  const early = upTo(requests / 10);
  const late = upTo(requests);
  console.log(`P-05  RSS after ${requests / 10} requests ${early} kB, after ${done} ${late} kB (target at most 2,048 kB more)`);
}

async function openAndDelete(port, agent) {
  const { response } = await post(port, agent, 'initialize', { protocolVersion: '2025-11-25', capabilities: {},
    clientInfo: { name: 'endure', version: '1' } });
  await new Promise((resolve, reject) => {
    http.request({ port, host: '127.0.0.1', path: '/mcp', method: 'DELETE', agent,
      headers: { 'Mcp-Session-Id': response.headers['mcp-session-id'], 'MCP-Protocol-Version': '2025-11-25' } },
    (deleted) => { deleted.resume(); deleted.on('end', resolve); }).on('error', reject).end();
  });
}

async function manySessions(pid, port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  let done = 0;
  const upTo = async (target) => {
    await Promise.all(Array.from({ length: 16 }, async () => { while (done++ < target) await openAndDelete(port, agent); }));
    return residentKiB(pid);
  };
  const early = await upTo(sessions / 10);
  const late = await upTo(sessions);
  agent.destroy();
  console.log(`P-05  RSS after ${sessions / 10} sessions ${early} kB, after ${sessions} ${late} kB (target at most 2,048 kB more)`);
}

async function changeReachesAll(port, streams = 1000) {
  const agent = new http.Agent({ maxSockets: Infinity });
  let ready = 0;
  const told = [];
  const open = Array.from({ length: streams }, () => modernPost(port, agent, 'subscriptions/listen',
    { notifications: { toolsListChanged: true } }, (text, response) => {
      if (text.includes('tools/list_changed')) { told.push(performance.now()); response.destroy(); } else if (!response.seen) { response.seen = true; ++ready; }
    }).catch(() => {}));
  for (let tries = 0; ready < streams && tries < 200; ++tries) await pause(50);
  const changed = performance.now();
  await modernPost(port, new http.Agent(), 'tools/call', { name: 'test_trigger_tool_change', arguments: {} });
  await Promise.race([Promise.all(open), pause(5000)]);
  const spread = Math.max(...told) - Math.min(...told);
  console.log(`P-08  ${told.length} of ${streams} listen streams heard of a change, the last ${(Math.max(...told) - changed).toFixed(0)} ms after the call, `
    + `all within ${spread.toFixed(0)} ms (target 50, after the 100 ms in which changes are gathered)`);
}

const { server, port } = await start();
await besideIdle(port);
await besideSlowTool(port);
manyRequests(server.pid, port);
await manySessions(server.pid, port);
await changeReachesAll(port);
server.removeAllListeners('close');
server.kill('SIGTERM');
