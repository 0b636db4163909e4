// Runs clang-tidy-19 in parallel and remembers clean files by a hash of all that decides the result.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const build = path.join(root, 'build/dev');
const remembered = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'ducat-lint');
const run = promisify(execFile);

// Object file -> the files it was made from, as ninja learnt from the compiler.
function dependencies() {
  const text = execFileSync('ninja', ['-C', build, '-t', 'deps'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const byObject = new Map();
  let files = [];
  for (const line of text.split('\n')) {
    const object = line.match(/^(\S+): #deps/);
    if (object) byObject.set(object[1], files = []);
    else if (line.startsWith('    ')) files.push(path.resolve(build, line.trim()));
  }
  return byObject;
}

const contents = new Map();
function textOf(file) {
  if (!contents.has(file)) contents.set(file, existsSync(file) ? readFileSync(file) : 'missing');
  return contents.get(file);
}

function keyOf(entry, made) {
  // Neither of these options changes what is found.
  const command = entry.command.replaceAll(root, '').replaceAll(/ -Werror\b| -fsanitize=fuzzer-no-link\b/g, '');
  const hash = createHash('sha256').update(common).update(command);
  for (const file of made.filter((each) => each.startsWith(`${root}/`))) hash.update(path.relative(root, file)).update(textOf(file));
  return hash.digest('hex');
}

function isOurs(file) {
  const name = path.relative(root, file);
  return /^(src|examples)\//.test(name) && !/_(test|bench)\.cc$/.test(name);
}

const filter = process.argv[2] ?? '';
const common = textOf(path.join(root, '.clang-tidy')) + execFileSync('clang-tidy-19', ['--version'], { encoding: 'utf8' });
const made = dependencies();
mkdirSync(remembered, { recursive: true });

const waiting = [];
let known = 0;
for (const entry of JSON.parse(readFileSync(path.join(build, 'compile_commands.json'), 'utf8'))) {
  if (!isOurs(entry.file) || !entry.file.includes(filter)) continue;
  const sources = made.get(entry.command.match(/ -o (\S+)/)?.[1]);
  const mark = sources && path.join(remembered, keyOf(entry, sources));
  if (mark && existsSync(mark)) known += 1;
  else waiting.push({ file: entry.file, mark });
}
const total = waiting.length;
console.log(`clang-tidy: ${total} files to check, ${known} unchanged since they were clean`);

const broken = [];
async function worker() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    try {
      await run('clang-tidy-19', ['-p', build, '--quiet', next.file], { maxBuffer: 1 << 26 });
      if (next.mark) writeFileSync(next.mark, '');
    } catch (error) {
      broken.push(path.relative(root, next.file));
      console.log(error.stdout.replaceAll(`${root}/`, '').trim());
    }
    const done = total - waiting.length;
    if (done % 25 === 0) console.log(`clang-tidy: ${done} of ${total}`);
  }
}
await Promise.all(Array.from({ length: os.cpus().length }, worker));
if (broken.length) console.log(`clang-tidy: ${broken.length} files with findings: ${broken.sort().join(' ')}`);
process.exitCode = broken.length ? 1 : 0;
