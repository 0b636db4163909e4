// A client on stdio that looks at every byte: one message a line, each fits its schema, each answer
// belongs to a request. `StdioPeer.open(t, revision)` starts the fixture server and ends it with the
// test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';

import { npmFolder } from './analyst_server.mjs';
import { checkError, checkMessage, checkResult } from './wire_schemas.mjs';

export const modern = '2026-07-28';
const root = path.dirname(path.dirname(npmFolder));
const fixture = path.join(root, 'build/dev/bin/ducat-conformance');
const patienceMs = 20000;
const allCapabilities = { elicitation: {}, sampling: {}, roots: {} };
export const withTasks = { ...allCapabilities, extensions: { 'io.modelcontextprotocol/tasks': {} } };

export class StdioPeer {
  static async open(t, revision, capabilities = allCapabilities) {
    const peer = new StdioPeer(revision, capabilities);
    t.after(() => peer.child.kill('SIGKILL'));
    if (!peer.isModern) await peer.handshake();
    return peer;
  }

  constructor(revision, capabilities) {
    this.revision = revision;
    this.isModern = revision === modern;
    this.capabilities = capabilities;
    this.nextId = 1;
    this.waiting = new Map();  // id: {method, isModern, resolve}
    this.messages = [];        // notifications, in order
    this.lines = [];
    this.answers = {};         // legacy requests of the server: method → result
    this.watchers = [];
    this.child = spawn(fixture, [], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = new Promise((resolve) => { this.child.on('close', (code) => resolve(code)); });
    let rest = '';
    this.child.stdout.setEncoding('utf8');
    this.child.stdout.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.take(line);
    });
  }

  async handshake() {
    await this.request('initialize', {
      protocolVersion: this.revision, capabilities: this.capabilities, clientInfo: { name: 'twin', version: '1.0.0' } });
    this.notify('notifications/initialized');
  }

  take(line) {
    try {
      this.lines.push(line);
      assert.ok(!line.includes('\r'), 'lines end with LF alone');
      this.takeMessage(JSON.parse(line));
    } catch (error) {
      this.broken ??= error;
      for (const { reject } of this.waiting.values()) reject(error);
    }
    for (const watch of this.watchers) watch();
  }

  takeMessage(message) {
    if ('method' in message) {
      checkMessage(message, this.isModern);
      if (!('id' in message)) return void this.messages.push(message);
      return void this.answer(message);
    }
    if (!('id' in message)) return void this.messages.push(message);  // of what had no id to read
    const request = this.waiting.get(message.id);
    assert.ok(request, `an answer to ${message.id}, which waits for none: ${JSON.stringify(message)}`);
    this.waiting.delete(message.id);
    if ('error' in message) checkError(message, request.isModern);
    else checkResult(request.method, message.result, request.isModern);
    request.resolve(message);
  }

  answer(request) {
    const reply = this.answers[request.method];
    assert.ok(reply, `${request.method} was not expected`);
    this.send({ jsonrpc: '2.0', id: request.id, result: typeof reply === 'function' ? reply(request.params) : reply });
  }

  send(message) { this.child.stdin.write(`${JSON.stringify(message)}\n`); }
  sendText(text) { this.child.stdin.write(`${text}\n`); }
  notify(method, params) { this.send({ jsonrpc: '2.0', method, ...(params && { params }) }); }

  // The envelope of the modern era.
  withMeta(params, capabilities, more) {
    return { ...params, _meta: {
      'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': capabilities, ...more } };
  }

  // Sends it and gives {id, reply}; `reply` resolves to the whole answer.
  start(method, params = {}, { capabilities = this.capabilities, meta = {}, isModern = this.isModern } = {}) {
    const id = this.nextId++;
    const own = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
    const sent = isModern ? this.withMeta(params, capabilities, meta) : own;
    const reply = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}: ${this.lines.slice(-3).join('\n')}`)), patienceMs);
      const done = (settle) => (value) => { clearTimeout(timer); settle(value); };
      this.waiting.set(id, { method, isModern, resolve: done(resolve), reject: done(reject) });
    });
    reply.catch(() => {});
    this.send({ jsonrpc: '2.0', id, method, params: sent });
    return { id, reply };
  }

  async request(method, params, options) {
    const message = await this.start(method, params, options).reply;
    if (this.broken) throw this.broken;
    assert.ok(message.result, `${method}: ${JSON.stringify(message.error)}`);
    return message.result;
  }

  async refused(method, params, options) {
    const message = await this.start(method, params, options).reply;
    assert.ok(message.error, `${method} is refused: ${JSON.stringify(message.result)}`);
    return message.error;
  }

  call(name, args = {}, more = {}, options = {}) {
    return this.request('tools/call', { name, arguments: args, ...more }, options);
  }

  // The first notification for which `fits` holds, come or still to come.
  async message(fits) {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const found = this.messages.find(fits);
      if (found) return found;
      assert.ok(Date.now() < deadline, `such a message comes: ${fits}`);
      await new Promise((resolve) => {
        this.watchers.push(resolve);
        setTimeout(resolve, 200);
      });
      this.watchers = [];
    }
  }

  // Ends the input; resolves to the exit code. Nothing may be left unanswered or broken.
  async close() {
    this.child.stdin.end();
    const code = await this.ended;
    if (this.broken) throw this.broken;
    assert.equal(code, 0);
  }
}

export const accept = (content) => ({ action: 'accept', content });
export const sampled = (text) => ({ role: 'assistant', model: 'test-model', stopReason: 'endTurn', content: { type: 'text', text } });
export const someRoots = { roots: [{ uri: 'file:///test/root', name: 'Test Root' }] };
