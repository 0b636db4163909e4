// mcp-remote: for clients that only start programs. The SDK v1 client starts it over stdio, it calls
// the server over HTTP.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { environment, npmFolder } from './analyst_server.mjs';
import { converse } from './conversation.mjs';
import { serveHttp } from './http_server.mjs';

const mcpRemote = path.join(npmFolder, 'node_modules/mcp-remote/dist/proxy.js');

test('mcp-remote between stdio and HTTP', async (t) => {
  const { url, home } = await serveHttp(t);
  const client = new Client({ name: 'ducat-tests', version: '1.0.0' });
  await client.connect(new StdioClientTransport({
    command: process.execPath, args: [mcpRemote, url, '--allow-http'], env: environment(home), stderr: 'ignore' }));
  try {
    assert.equal(client.getServerVersion().name, 'ducat');
    await converse(client);
  } finally {
    await client.close();
  }
});
