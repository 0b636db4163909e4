// The MCP TypeScript SDK v1 client over stdio; it negotiates 2025-11-25.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { args, command, emptyHome, environment } from './analyst_server.mjs';
import { converse } from './conversation.mjs';

test('SDK v1 over stdio', async (t) => {
  const client = new Client({ name: 'ducat-tests', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env: environment(emptyHome(t)), stderr: 'ignore' }));
  try {
    assert.equal(client.getServerVersion().name, 'ducat');
    await converse(client);
  } finally {
    await client.close();
  }
});
