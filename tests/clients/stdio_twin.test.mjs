// The twin of the official suite on stdio, for both eras: every scenario that is not about HTTP, and
// what only stdio has: cancelling, the end of input, answers out of order, probing and falling back.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';

import { npmFolder } from './analyst_server.mjs';
import { asking, taskScenarios } from './stdio_asking_scenarios.mjs';
import { StdioPeer, modern, withTasks } from './stdio_peer.mjs';
import { both, legacyOnly, modernOnly } from './stdio_scenarios.mjs';

const legacy = '2025-11-25';
const suite = path.join(npmFolder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
// What is about sessions, streams, headers and hosts.
const aboutHttp = [
  'dns-rebinding-protection', 'http-custom-header-server-validation', 'http-header-validation', 'server-session-lifecycle',
  'server-sse-multiple-streams', 'server-sse-polling', 'tasks-request-headers',
];
const scenarios = {
  [legacy]: { ...both, ...legacyOnly },
  [modern]: { ...both, ...modernOnly, ...asking, ...taskScenarios },
};

function listed(filter) {
  const text = execFileSync(process.execPath, [suite, 'list', '--server', ...filter], { encoding: 'utf8' });
  return [...text.matchAll(/^\s*- (\S+)/gm)].map(([, name]) => name);
}
const isAboutTasks = (name) => name.startsWith('tasks-');

for (const [revision, own] of Object.entries(scenarios)) {
  test(`has every scenario of ${revision}`, () => {
    const names = [...listed(['--spec-version', revision]), ...(revision === modern ? listed([]).filter(isAboutTasks) : [])];
    assert.ok(names.length >= 30, names.join());
    for (const name of names) assert.ok(own[name] || aboutHttp.includes(name), `${name} has no twin`);
  });
  for (const [name, play] of Object.entries(own)) {
    test(`${revision}: ${name}`, async (t) => {
      const peer = await StdioPeer.open(t, revision, taskScenarios[name] ? withTasks : undefined);
      await play(peer);
      await peer.close();
    });
  }
  test(`${revision}: a cancelled call is answered no more`, async (t) => {
    const peer = await StdioPeer.open(t, revision);
    const { id } = peer.start('tools/call', { name: 'slow', arguments: { ms: 300 } });
    peer.notify('notifications/cancelled', { requestId: id });
    await peer.call('slow', { ms: 500 });
    assert.ok(peer.waiting.has(id));
    await peer.close();
  });
  test(`${revision}: answers come when they are ready`, async (t) => {
    const peer = await StdioPeer.open(t, revision);
    const order = [];
    const calls = [400, 200, 0].map((ms) => peer.call('slow', { ms }).then(() => order.push(ms)));
    await Promise.all(calls);
    assert.deepEqual(order, [0, 200, 400]);
    await peer.close();
  });
  test(`${revision}: what runs at the end of input is answered`, async (t) => {
    const peer = await StdioPeer.open(t, revision);
    const { reply } = peer.start('tools/call', { name: 'slow', arguments: { ms: 300 } });
    const closed = peer.close();
    assert.equal((await reply).result.content[0].text, 'Took 300 ms.');
    await closed;
  });
  test(`${revision}: service goes on after nonsense`, async (t) => {
    const peer = await StdioPeer.open(t, revision);
    peer.sendText('{"jsonrpc":"2.0", nonsense');
    const refused = await peer.message(({ error }) => error);
    assert.equal(refused.error.code, -32700);
    await both['tools-call-simple-text'](peer);
    await peer.close();
  });
}

test('a client that goes away while it is asked ends the server', async (t) => {
  const peer = await StdioPeer.open(t, legacy);
  let asked;
  const wasAsked = new Promise((resolve) => { asked = resolve; });
  peer.answer = asked;
  peer.start('tools/call', { name: 'test_elicitation', arguments: { message: 'Who?' } });
  await wasAsked;
  peer.child.kill('SIGTERM');
  assert.equal(await peer.ended, 0);
});

test('a cancelled call takes its question along', async (t) => {
  const peer = await StdioPeer.open(t, legacy);
  let asked;
  const question = new Promise((resolve) => { asked = resolve; });
  peer.answer = asked;
  const { id } = peer.start('tools/call', { name: 'test_elicitation', arguments: { message: 'Who?' } });
  const { id: questionId } = await question;
  peer.notify('notifications/cancelled', { requestId: id });
  peer.send({ jsonrpc: '2.0', id: questionId, result: { action: 'cancel' } });
  await peer.request('ping');
  assert.ok(peer.waiting.has(id));
  await peer.close();
});

test('a client may probe, then fall back', async (t) => {
  const peer = await StdioPeer.open(t, modern);
  assert.deepEqual((await peer.request('server/discover')).supportedVersions, [modern]);
  peer.isModern = false;
  peer.revision = legacy;
  await peer.handshake();
  assert.deepEqual(await peer.request('ping'), {});
  const { capabilities } = await peer.request('server/discover', {}, { isModern: true });
  assert.ok(capabilities.tools);
  await peer.close();
});
