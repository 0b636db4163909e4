// The official conformance suite against the fixture server, for both revisions, over HTTP. Its exit
// code tells of scored scenarios alone, so every check that it wrote is read here, too.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { npmFolder } from './analyst_server.mjs';

const root = path.dirname(path.dirname(npmFolder));
const fixture = path.join(root, 'build/dev/bin/ducat-conformance');
const suite = path.join(npmFolder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const patienceMs = 240000;

// Scored or not, these must have run: the suite leaves some out without a word.
const alsoRun = {
  '2025-11-25': ['server-session-lifecycle', 'json-schema-2020-12', 'server-sse-polling', 'tools-call-sampling'],
  '2026-07-28': [
    'json-schema-2020-12', 'http-header-validation', 'http-custom-header-server-validation',
    'tasks-lifecycle', 'tasks-capability-negotiation', 'tasks-wire-fields', 'tasks-request-state-removal',
    'tasks-mrtr-input', 'tasks-request-headers', 'tasks-dispatch-and-envelope', 'tasks-status-notifications',
    'tasks-required-task-error', 'tasks-mrtr-composition',
  ],
};
const scenariosAtLeast = { '2025-11-25': 33, '2026-07-28': 50 };

function startFixture(t) {
  const server = spawn(fixture, ['--http', '127.0.0.1:0'], { stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = new Promise((resolve) => { server.on('close', resolve); });
  t.after(async () => { server.kill('SIGTERM'); assert.equal(await ended, 0); });
  return new Promise((resolve, reject) => {
    let errors = '';
    server.stderr.on('data', (bytes) => {
      errors += bytes;
      const port = errors.match(/127\.0\.0\.1:(\d+)\/mcp/);
      if (port) resolve(`http://localhost:${port[1]}/mcp`);  // the suite wants a name
    });
    server.on('close', () => reject(new Error(`the fixture server ended: ${errors}`)));
  });
}

// Every check of every scenario: {scenario: [{id, status, description}]}.
function readChecks(folder) {
  const scenarios = {};
  for (const entry of readdirSync(folder, { recursive: true })) {
    if (path.basename(entry) !== 'checks.json') continue;
    const name = path.basename(path.dirname(entry)).replace(/^server-(?=.+-\d{4}-)|-\d{4}-\d\d-\d\dT.*$/g, '');
    scenarios[name] = JSON.parse(readFileSync(path.join(folder, entry), 'utf8'));
  }
  return scenarios;
}

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`the official suite, ${revision}`, async (t) => {
    const url = await startFixture(t);
    const out = mkdtempSync(path.join(os.tmpdir(), 'ducat-conformance-'));
    t.after(() => rmSync(out, { recursive: true, force: true }));
    const suiteExit = await new Promise((resolve) => {
      execFile(process.execPath, [suite, 'server', '--url', url, '--requirements', revision, '-o', out],
        { timeout: patienceMs, maxBuffer: 1 << 26 }, (error) => resolve(error ? (error.code ?? error.signal) : 0));
    });
    const scenarios = readChecks(out);
    const bad = {};
    for (const [name, checks] of Object.entries(scenarios)) {
      const broken = checks.filter((check) => ['FAILURE', 'WARNING'].includes(check.status));
      if (broken.length > 0) bad[name] = broken.map((check) => `${check.id}: ${check.errorMessage ?? check.description}`);
    }
    assert.equal(suiteExit, 0, 'the suite ends with 0');
    for (const [name, checks] of Object.entries(bad)) assert.fail(`${name}: ${checks.join('; ')}`);
    for (const name of alsoRun[revision]) assert.ok(scenarios[name], `${name} has run`);
    const ran = Object.keys(scenarios).length;
    t.diagnostic(`${ran} scenarios pass`);
    assert.ok(ran >= scenariosAtLeast[revision], `only ${ran} scenarios ran`);
  });
}
