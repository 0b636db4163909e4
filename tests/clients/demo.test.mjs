// The transcript in README.md is what scripts/demo.mjs prints today, but for times and ids.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { command, emptyHome, environment, npmFolder } from './analyst_server.mjs';

const root = path.dirname(path.dirname(npmFolder));

function withoutTimes(text) {
  return text.replace(/\d+(\.\d+)? ms/g, 'N ms')
    .replace(/\d{4}-\d\d-\d\dT[\d:]+\+00:00/g, 'TIME').replace(/request [0-9A-Z]{5}-[0-9A-Z]{5}/g, 'request ID')
    .split('\n').map((line) => line.trimEnd()).join('\n').trim();
}

test('README shows the conversation of scripts/demo.mjs', (t) => {
  const env = environment(emptyHome(t));
  const printed = execFileSync(process.execPath, [path.join(root, 'scripts/demo.mjs'), command], { env, encoding: 'utf8' });
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const [block] = readme.match(/^ {4}== A conversation[^]*?(?=^## )/m);
  assert.equal(withoutTimes(block.replace(/^ {4}/gm, '')), withoutTimes(printed));
});
