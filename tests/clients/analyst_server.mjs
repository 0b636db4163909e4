// The server that the client tests talk with: the release build of `ducat analyst` over the shipped
// example data, with a home of its own that goes with the test.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

export const command = path.join(process.env.DUCAT_RELEASE_DIR ?? path.join(root, 'build/release'), 'bin/ducat');
export const args = ['analyst', '--data', path.join(root, 'examples/data')];
export const npmFolder = path.join(root, 'tests/npm');

// An empty folder for $HOME and $DUCAT_HOME, removed after the test that is given.
export function emptyHome(test) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'ducat-client-'));
  test.after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export function environment(home) {
  return { PATH: process.env.PATH, HOME: home, DUCAT_HOME: path.join(home, 'ducat') };
}
