// `ducat serve` for the client tests: the release build over the shipped example data, on a port
// that the kernel chooses, with a home of its own. Ends with the test.
import { spawn } from 'node:child_process';
import path from 'node:path';

import { args, command, emptyHome, environment } from './analyst_server.mjs';

const patienceMs = 30000;

// Resolves to {url, home} once the server listens; `flags` are further ones of its.
export function serveHttp(test, flags = []) {
  const home = emptyHome(test);
  const [, ...data] = args;
  const server = spawn(command, ['serve', '--http', '127.0.0.1:0', ...data, ...flags],
    { env: environment(home), stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = new Promise((resolve) => { server.on('close', resolve); });
  test.after(async () => { server.kill('SIGTERM'); await ended; });
  return new Promise((resolve, reject) => {
    let errors = '';
    const timer = setTimeout(() => reject(new Error(`${path.basename(command)} does not listen: ${errors}`)), patienceMs);
    server.stderr.on('data', (bytes) => {
      errors += bytes;
      const line = errors.match(/^listening on (\S+)$/m);
      if (!line) return;
      clearTimeout(timer);
      resolve({ url: line[1], home });
    });
    server.on('error', reject);
  });
}
