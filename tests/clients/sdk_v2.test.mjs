// The MCP TypeScript SDK v2 client over both transports, in the three ways it can agree on a revision.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { args, command, emptyHome, environment } from './analyst_server.mjs';
import { converse } from './conversation.mjs';
import { serveHttp } from './http_server.mjs';

const ways = [
  { name: 'legacy', mode: undefined, revision: '2025-11-25' },
  { name: 'auto', mode: 'auto', revision: '2026-07-28' },
  { name: 'pinned', mode: { pin: '2026-07-28' }, revision: '2026-07-28' },
];

function newClient(mode) {
  return new Client({ name: 'ducat-tests', version: '1.0.0' },
    mode === undefined ? {} : { versionNegotiation: { mode } });
}

async function talk(client, transport, revision) {
  await client.connect(transport);
  try {
    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    await converse(client);
  } finally {
    await client.close();
  }
}

for (const { name, mode, revision } of ways) {
  test(`SDK v2 over stdio, ${name}`, async (t) => {
    const transport = new StdioClientTransport({ command, args, env: environment(emptyHome(t)), stderr: 'ignore' });
    await talk(newClient(mode), transport, revision);
  });

  test(`SDK v2 over HTTP, ${name}`, async (t) => {
    const { url } = await serveHttp(t);
    await talk(newClient(mode), new StreamableHTTPClientTransport(new URL(url)), revision);
  });
}
