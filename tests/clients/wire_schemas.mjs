// Which schema a line of the server must fit: those that the SDKs of each era export, and the table
// of what older revisions may not see. Throws what is wrong with a line.
import assert from 'node:assert/strict';

import { specTypeSchemas } from '@modelcontextprotocol/client';
import * as tasks from '@modelcontextprotocol/ext-tasks/core/v2';
import * as legacy from '@modelcontextprotocol/sdk/types.js';

const resultNames = {
  initialize: 'InitializeResult', ping: 'EmptyResult', 'logging/setLevel': 'EmptyResult',
  'resources/subscribe': 'EmptyResult', 'resources/unsubscribe': 'EmptyResult',
  'server/discover': 'DiscoverResult', 'subscriptions/listen': 'SubscriptionsListenResult',
  'tools/list': 'ListToolsResult', 'tools/call': 'CallToolResult', 'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult', 'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult', 'resources/read': 'ReadResourceResult',
  'completion/complete': 'CompleteResult',
};
const taskSchemas = {
  'tasks/get': 'GetTaskResultV2Schema', 'tasks/update': 'UpdateTaskResultV2Schema',
  'tasks/cancel': 'CancelTaskResultV2Schema',
};
const messageNames = {
  'notifications/message': 'LoggingMessageNotification', 'notifications/progress': 'ProgressNotification',
  'notifications/cancelled': 'CancelledNotification', 'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
  'elicitation/create': 'ElicitRequest', 'sampling/createMessage': 'CreateMessageRequest', 'roots/list': 'ListRootsRequest',
};
const onlyModern = ['resultType', 'ttlMs', 'cacheScope', 'inputRequests', 'requestState', 'taskId'];
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

function checkModern(name, value) {
  const schema = specTypeSchemas[name];
  assert.ok(schema, `the client package has a schema ${name}`);
  const { issues } = schema['~standard'].validate(value);
  assert.equal(issues, undefined, `${name}: ${JSON.stringify(issues)} in ${JSON.stringify(value)}`);
}

function checkZod(schema, what, value) {
  const { success, error } = schema.safeParse(value);
  assert.ok(success, `${what}: ${error?.message} in ${JSON.stringify(value)}`);
}

function checkModernResult(method, result) {
  assert.ok(result._meta?.[serverInfoKey]?.name, `${method} says who serves`);
  if (result.resultType === 'input_required') {
    assert.ok(['tools/call', 'prompts/get', 'resources/read'].includes(method), `${method} may not ask`);
    return checkZod(tasks.InputRequiredCallToolResultV2Schema, 'input_required', result);
  }
  if (result.resultType === 'task') return checkZod(tasks.CreateTaskResultV2Schema, 'task', result);
  assert.equal(result.resultType, 'complete');
  if (taskSchemas[method]) return checkZod(tasks[taskSchemas[method]], method, result);
  return checkModern(resultNames[method], result);
}

export function checkResult(method, result, isModern) {
  if (isModern) return checkModernResult(method, result);
  for (const member of onlyModern) assert.ok(!(member in result), `${method}: ${member} is newer than its revision`);
  assert.ok(!result._meta?.[serverInfoKey], `${method}: serverInfo in _meta is newer than its revision`);
  return checkZod(legacy[`${resultNames[method]}Schema`], method, result);
}

export function checkError(message, isModern) {
  if (isModern) return checkModern('JSONRPCErrorResponse', message);
  return checkZod(legacy.JSONRPCErrorResponseSchema, 'error', message);
}

// A notification, or a request of the server.
export function checkMessage(message, isModern) {
  if (isModern) assert.ok(!('id' in message), 'the server asks nothing by requests in the modern era');
  if (message.method === 'notifications/tasks') {
    return checkZod(tasks.TaskStatusNotificationV2Schema, message.method, message);
  }
  const name = messageNames[message.method];
  assert.ok(name, `${message.method} is a message of the server`);
  // The envelope of JSON-RPC has a schema of its own.
  const { jsonrpc, id, ...rest } = message;
  assert.equal(jsonrpc, '2.0');
  if (isModern) return checkModern(name, rest);
  return checkZod(legacy[`${name}Schema`], message.method, rest);
}
