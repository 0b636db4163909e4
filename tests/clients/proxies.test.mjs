// F-18: reverse proxies before `ducat serve`, with the configuration that docs/deploy shows and their
// default buffering: events arrive at once, silent streams live on, long calls are not cut.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { emptyHome, npmFolder } from './analyst_server.mjs';
import { serveHttp } from './http_server.mjs';

const root = path.dirname(path.dirname(npmFolder));
const host = 'data.example.com';
const flags = ['--public-url', `https://${host}/mcp`, '--threads', '1', '--timeout-s', '60'];
const atOnceMs = 3000;
const callSeconds = 40;
const silenceSecondsMax = 20;  // what nginx is told; Ducat breaks silence every 15 s
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
};

function find(program, unpacked) {
  if (unpacked && existsSync(unpacked)) return unpacked;
  const places = (process.env.PATH ?? '').split(':').concat('/usr/sbin').map((folder) => path.join(folder, program));
  return places.find((place) => existsSync(place));
}

const nginx = find('nginx', path.join(root, 'build/nginx/usr/sbin/nginx'));
const caddy = find('caddy');

// A reply as it comes in: {text, ended}, and `status` once its head is there.
function post(socketPath, method, params) {
  const headers = {
    host, 'content-type': 'application/json', accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(params.name && { 'mcp-name': params.name }),
  };
  const reply = { text: '', ended: false };
  const request = http.request({ socketPath, path: '/mcp', method: 'POST', headers }, (response) => {
    reply.status = response.statusCode;
    response.setEncoding('utf8');
    response.on('data', (text) => { reply.text += text; });
    response.on('close', () => { reply.ended = true; });
    response.on('error', () => {});  // the proxy ends before the stream: seen as its end
  });
  request.on('error', (error) => { reply.text += error.message; reply.ended = true; });
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }));
  return reply;
}

async function until(condition, milliseconds) {
  for (const end = Date.now() + milliseconds; Date.now() < end && !condition();) await sleep(50);
  return condition();
}

// Starts a proxy that listens on `socket`; it ends with the test.
async function start(t, socket, command, args, env = {}) {
  const proxy = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  let errors = '';
  proxy.stderr.on('data', (bytes) => { errors += bytes; });
  const ended = new Promise((resolve) => { proxy.on('close', resolve); });
  t.after(async () => { proxy.kill('SIGTERM'); await ended; });
  assert.ok(await until(() => existsSync(socket), 10000), `${command} does not listen: ${errors}`);
}

// nginx with the server block of docs/deploy.
async function startNginx(t, home, url) {
  const socket = path.join(home, 'nginx.sock');
  const block = readFileSync(path.join(root, 'docs/deploy/nginx.conf'), 'utf8')
    .replace(/^ *ssl_.*\n/gm, '').replace('127.0.0.1:8931', new URL(url).host);
  assert.match(block, /listen 443 ssl;/);
  const config = path.join(home, 'nginx.conf');
  writeFileSync(config, `${process.getuid() === 0 ? 'user root;' : ''} daemon off; pid ${home}/nginx.pid; events {}
    http {
      access_log off; proxy_read_timeout ${silenceSecondsMax}s;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`).join(' ')}
      ${block.replace('listen 443 ssl', `listen unix:${socket}`)}
    }`);
  await start(t, socket, nginx, ['-p', home, '-e', 'stderr', '-c', config]);
  return { socket };
}

async function startCaddy(t, home, url) {
  const socket = path.join(home, 'caddy.sock');
  const site = readFileSync(path.join(root, 'docs/deploy/Caddyfile'), 'utf8').replace('127.0.0.1:8931', new URL(url).host);
  assert.match(site, /^data\.example\.com \{$/m);
  const config = path.join(home, 'Caddyfile');
  writeFileSync(config, `{\n\tadmin off\n}\n${
    site.replace(/^data\.example\.com \{$/m, `http://${host} {\n\tbind unix/${socket}`)}`);
  await start(t, socket, caddy, ['run', '--adapter', 'caddyfile', '--config', config], { HOME: home });
  return { socket };
}

async function streamAndCall(socket) {
  const stream = post(socket, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
  assert.ok(await until(() => stream.text.includes('notifications/subscriptions/acknowledged'), atOnceMs),
    `no event within ${atOnceMs} ms: ${stream.status} ${stream.text}`);
  const begun = Date.now();
  const call = post(socket, 'tools/call', { name: 'query', arguments: {
    sql: 'SELECT sum(hash(range)) FROM range(1000000000000)', timeout_s: callSeconds } });
  await until(() => call.ended, (callSeconds + 15) * 1000);
  assert.equal(call.status, 200, call.text);
  assert.match(call.text, /"reason":"query_timeout"/);
  assert.ok(Date.now() - begun >= callSeconds * 1000 - 1000, 'the call ended early');
  assert.ok(!stream.ended, 'the silent stream was cut');
  assert.ok(stream.text.split('\n').filter((line) => line.startsWith(':')).length >= 2, stream.text);
}

test('F-18: behind nginx', { skip: !nginx && 'there is no nginx: scripts/fetch_nginx unpacks it' }, async (t) => {
  const { url } = await serveHttp(t, flags);
  const { socket } = await startNginx(t, emptyHome(t), url);
  await streamAndCall(socket);
});

test('F-18: behind Caddy', { skip: !caddy && 'there is no caddy' }, async (t) => {
  const { url } = await serveHttp(t, flags);
  const { socket } = await startCaddy(t, emptyHome(t), url);
  await streamAndCall(socket);
});

// systemd-analyze comes with systemd; the unit's program need not be there.
const analyze = find('systemd-analyze');

test('the unit of systemd is sound', { skip: !analyze && 'there is no systemd-analyze' }, (t) => {
  const unit = path.join(emptyHome(t), 'ducat.service');
  const text = readFileSync(path.join(root, 'docs/deploy/ducat.service'), 'utf8');
  assert.match(text, /ExecStart=\/opt\/ducat\/bin\/ducat /);
  writeFileSync(unit, text.replace('/opt/ducat/bin/ducat', '/bin/true'));
  assert.equal(execFileSync(analyze, ['verify', '--man=no', unit], { encoding: 'utf8' }), '');
  execFileSync(analyze, ['security', '--offline=yes', '--threshold=25', '--no-pager', unit]);  // of 100
});
