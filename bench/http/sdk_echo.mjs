// sdk_echo.mjs PORT: the same echo tool on the official TypeScript SDK, modern era, JSON answers.
import http from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';

function makeServer() {
  const server = new McpServer({ name: 'sdk-echo', version: '1.0.0' });
  const echo = ({ message }) => ({ content: [{ type: 'text', text: `Echo: ${message}` }] });
  server.registerTool('echo', { description: 'Echoes.', inputSchema: z.object({ message: z.string() }) }, echo);
  return server;
}

const handler = createMcpHandler(makeServer, { responseMode: 'json' });
http.createServer(toNodeHandler(handler)).listen(Number(process.argv[2]), '127.0.0.1');
