// The MCP TypeScript SDK v2 client over stdio, in the three ways it can agree on a revision.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { args, command, emptyHome, environment } from './analyst_server.mjs';
import { converse } from './conversation.mjs';

const ways = [
  { name: 'legacy', mode: undefined, revision: '2025-11-25' },
  { name: 'auto', mode: 'auto', revision: '2026-07-28' },
  { name: 'pinned', mode: { pin: '2026-07-28' }, revision: '2026-07-28' },
];

for (const { name, mode, revision } of ways) {
  test(`SDK v2 over stdio, ${name}`, async (t) => {
    const client = new Client({ name: 'ducat-tests', version: '1.0.0' },
      mode === undefined ? {} : { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ command, args, env: environment(emptyHome(t)), stderr: 'ignore' }));
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      await converse(client);
    } finally {
      await client.close();
    }
  });
}
