// A conversation with `ducat analyst` as an MCP client would have it, printed for people: what is
// sent, what comes back. Needs nothing but node; ./run --demo starts it. README.md shows its output:
// node scripts/demo.mjs [EXECUTABLE], by default the release build.
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const command = path.resolve(process.argv[2] ?? path.join(root, 'build/release/bin/ducat'));
const args = ['analyst', '--data', 'examples/data', '--timeout-s', '3'];
const answerSecondsMax = 60;
const shownLinesMax = 24;

const color = process.stdout.isTTY ? { dim: '\x1b[2m', bold: '\x1b[1m', off: '\x1b[0m' } : { dim: '', bold: '', off: '' };

// One server process; `request` resolves to the result, or rejects with the JSON-RPC error.
class Session {
  constructor() {
    this.child = spawn(command, args, { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
    this.waiting = new Map();
    this.last = 0;
    readline.createInterface({ input: this.child.stdout }).on('line', (line) => this.receive(line));
    this.child.on('error', (error) => this.fail(error));
    this.child.on('exit', (code) => this.fail(new Error(`the server ended with exit code ${code}`)));
  }

  receive(line) {
    const message = JSON.parse(line);
    const pending = this.waiting.get(message.id);
    if (!pending) return;  // a notification
    this.waiting.delete(message.id);
    clearTimeout(pending.timer);
    if (message.error) pending.reject(new Error(message.error.message));
    else pending.resolve(message.result);
  }

  fail(error) {
    for (const { reject, timer } of this.waiting.values()) { clearTimeout(timer); reject(error); }
    this.waiting.clear();
  }

  request(method, params) {
    const id = (this.last += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method} within ${answerSecondsMax} s`)),
        answerSecondsMax * 1000);
      this.waiting.set(id, { resolve, reject, timer });
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  notify(method) { this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`); }
  close() { this.child.removeAllListeners('exit'); this.child.stdin.end(); }
}

function show(text) {
  const lines = text.trimEnd().split('\n');
  for (const line of lines.slice(0, shownLinesMax)) console.log(`   ${line}`);
  if (lines.length > shownLinesMax) console.log(`   ${color.dim}… ${lines.length - shownLinesMax} more lines${color.off}`);
}

async function call(session, why, name, toolArguments) {
  console.log(`\n${color.bold}${why}${color.off}`);
  const { sql, ...rest } = toolArguments;
  console.log(`${color.dim}→ tools/call ${name} ${sql ? '' : JSON.stringify(rest)}${color.off}`.trimEnd());
  if (sql) show(sql);
  const start = Date.now();
  const result = await session.request('tools/call', { name, arguments: toolArguments });
  console.log(`${color.dim}← ${result.isError ? 'refused or failed' : 'answered'} after ${Date.now() - start} ms${color.off}`);
  for (const block of result.content) if (block.type === 'text') show(block.text);
  return result;
}

function expect(condition, what) {
  if (!condition) throw new Error(`unexpected answer: ${what}`);
}

async function converse(session) {
  const hello = await session.request('initialize', {
    protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'demo', version: '1.0.0' } });
  session.notify('notifications/initialized');
  console.log(`== A conversation with ${hello.serverInfo.name} ${hello.serverInfo.version} over stdio, MCP ${hello.protocolVersion}`);
  const { tools } = await session.request('tools/list', {});
  console.log(`Tools: ${tools.map((tool) => tool.name).join(', ')}`);

  await call(session, 'What is there?', 'list_tables', { wait_ms: 30000 });
  await call(session, 'What do the orders look like?', 'profile_table', { name: 'orders', columns: ['plan', 'amount_eur'] });
  const join = await call(session, 'Where do the paying readers live?', 'query', {
    sql: 'SELECT s.country, s.city, count(DISTINCT o.subscriber_id) AS readers, sum(o.amount_eur) AS eur\n'
      + 'FROM orders o JOIN subscribers s USING (subscriber_id)\nWHERE NOT o.refunded\n'
      + 'GROUP BY ALL ORDER BY eur DESC LIMIT 5' });
  expect(!join.isError, 'the join failed');
  const copy = await call(session, 'May an agent write a file?', 'query', { sql: "COPY orders TO '/tmp/orders.csv'" });
  expect(copy.isError === true, 'COPY was not refused');
  const slow = await call(session, 'And a query that never ends? (the limit here is 3 s)', 'query', {
    sql: 'SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range + b.range = 7' });
  expect(slow.isError === true, 'the endless query was not stopped');
  const next = await call(session, 'The next call works as if nothing had happened.', 'query', {
    sql: 'SELECT plan, count(*) AS orders FROM orders GROUP BY plan ORDER BY orders DESC' });
  expect(!next.isError, 'the call after the timeout failed');
}

const session = new Session();
try {
  await converse(session);
} catch (error) {
  console.error(`demo: ${error.message}`);
  process.exitCode = 1;
} finally {
  session.close();
}
