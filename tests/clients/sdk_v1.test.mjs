// The MCP TypeScript SDK v1 client over both transports; it negotiates 2025-11-25.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { args, command, emptyHome, environment } from './analyst_server.mjs';
import { converse } from './conversation.mjs';
import { serveHttp } from './http_server.mjs';

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

test('SDK v1 over HTTP', async (t) => {
  const { url } = await serveHttp(t);
  const client = new Client({ name: 'ducat-tests', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  try {
    assert.equal(client.getServerVersion().name, 'ducat');
    assert.equal(transport.sessionId.length, 22);
    await converse(client);
    await transport.terminateSession();
    await assert.rejects(client.listTools(), /404|session/i);
  } finally {
    await client.close();
  }
});
