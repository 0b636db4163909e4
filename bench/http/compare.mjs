// node bench/http/compare.mjs [SECONDS]: requests a second, CPU a request, p50 and p99 of the echo
// tool over HTTP, Ducat beside the floor, nginx with a fixed body, and the official TypeScript SDK; one
// run, one machine. Needs `scripts/build bench`, wrk and nginx (Debian), `npm install` in this folder.
// A peer that is missing is named and left out.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const bin = path.join(here, '../../build/bench/bin');
const folder = mkdtempSync(path.join(os.tmpdir(), 'ducat-http-bench-'));
const seconds = Number(process.argv[2] ?? 6);
const connections = [1, 16, 64];
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function nginxConfiguration(port) {
  const text = readFileSync(path.join(here, 'nginx.conf'), 'utf8').replaceAll('PORT', port).replaceAll('FOLDER', folder);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, text);
  return file;
}

function findProgram(name) {
  return [...process.env.PATH.split(':'), '/usr/sbin'].map((part) => path.join(part, name)).find(existsSync);
}

const nginx = findProgram('nginx');
const peers = [
  { name: 'floor', command: (port) => [path.join(bin, 'floor_server'), String(port)] },
  { name: 'nginx', missing: !nginx, command: (port) => [nginx, '-p', folder, '-c', nginxConfiguration(port)] },
  { name: 'ducat', command: (port) => [path.join(bin, 'ducat-conformance'), '--http', `127.0.0.1:${port}`] },
  { name: 'sdk v2', missing: !existsSync(path.join(here, 'node_modules')),
    command: (port) => [process.execPath, path.join(here, 'sdk_echo.mjs'), String(port)] },
];

async function start(peer) {
  const port = await freePort();
  const [program, ...rest] = peer.command(port);
  const server = spawn(program, rest, { stdio: 'ignore' });
  for (let tries = 0; tries < 100; ++tries) {
    const open = await new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true); });
      socket.on('error', () => resolve(false));
    });
    if (open) return { server, port };
    await pause(50);
  }
  throw new Error(`${peer.name} does not listen`);
}

// nginx serves in a child.
function processes(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [pid, ...children.map(Number)];
}

function cpuSeconds(pid) {
  const fields = (each) => readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')[1].split(' ');
  return processes(pid).reduce((sum, each) => sum + (Number(fields(each)[11]) + Number(fields(each)[12])) / ticksPerSecond, 0);
}

function residentMiB(pid) {
  const kiB = (each) => Number(readFileSync(`/proc/${each}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1] ?? 0);
  return processes(pid).reduce((sum, each) => sum + kiB(each), 0) / 1024;
}

function load(port, count, duration) {
  const text = execFileSync('wrk', ['-t1', `-c${count}`, `-d${duration}s`, '--latency', '-s', path.join(here, 'echo.lua'),
    `http://127.0.0.1:${port}/mcp`], { encoding: 'utf8' });
  const [requests, microseconds, errors, p50, p99] = text.match(/RESULT (.*)/)[1].split(' ').map(Number);
  return { requests, rate: requests / (microseconds / 1e6), errors, p50, p99 };
}

async function measure(peer) {
  const { server, port } = await start(peer);
  try {
    load(port, 16, 1);  // warm
    return connections.map((count) => {
      const before = cpuSeconds(server.pid);
      const result = load(port, count, seconds);
      const cpu = (cpuSeconds(server.pid) - before) / result.requests * 1e6;
      return { ...result, cpu, resident: residentMiB(server.pid) };
    });
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => { server.on('close', resolve); });
  }
}

const results = {};
for (const peer of peers) {
  if (peer.missing) console.log(`${peer.name}: not here, left out`);
  else results[peer.name] = await measure(peer);
}
rmSync(folder, { recursive: true });

console.log('| server | connections | requests/s | CPU us/request | p50 us | p99 us | RSS MiB | errors |\n|---|---|---|---|---|---|---|---|');
for (const [name, rows] of Object.entries(results)) {
  rows.forEach((row, i) => console.log(`| ${name} | ${connections[i]} | ${Math.round(row.rate)} | ${row.cpu.toFixed(1)} | `
    + `${row.p50} | ${row.p99} | ${row.resident.toFixed(1)} | ${row.errors} |`));
}
const at16 = (name) => results[name]?.[1];
const ratio = (value) => (Number.isFinite(value) ? value.toFixed(2) : '-');
console.log(`\nAt 16 connections: CPU per request ${ratio(at16('ducat').cpu / at16('floor').cpu)} x the floor (target at most 2), `
  + `${ratio(at16('ducat').rate / at16('nginx')?.rate)} of nginx's rate (at least 0.5), `
  + `${ratio(at16('ducat').rate / at16('sdk v2')?.rate)} x the SDK's (at least 8)`);
