// The scenarios about questions to the client and about tasks, in the modern era, on stdio.
import assert from 'node:assert/strict';

import { accept, sampled, someRoots, withTasks } from './stdio_peer.mjs';

const prefix = 'test_input_required_result_';
const textOf = (result) => result.content[0].text;

// Calls, answers what is asked, calls again; the last result.
async function askedAndAnswered(peer, tool, answers, options) {
  let more = {};
  for (let round = 0; round < 4; ++round) {
    const result = await peer.call(tool, {}, more, options);
    if (result.resultType !== 'input_required') return { result, round };
    const keys = Object.keys(result.inputRequests);
    more = { requestState: result.requestState, inputResponses: Object.fromEntries(keys.map((key) => [key, answers[key]])) };
  }
  throw new Error(`${tool} asks without end`);
}

export const asking = {
  'input-required-result-basic-elicitation': async (peer) => {
    const { result, round } = await askedAndAnswered(peer, `${prefix}elicitation`, { user_name: accept({ name: 'Alice' }) });
    assert.deepEqual([textOf(result), round], ['Hello, Alice!', 1]);
  },
  'input-required-result-basic-sampling': async (peer) => {
    const { result } = await askedAndAnswered(peer, `${prefix}sampling`, { capital_question: sampled('Paris') });
    assert.match(textOf(result), /Paris/);
  },
  'input-required-result-basic-list-roots': async (peer) => {
    const { result } = await askedAndAnswered(peer, `${prefix}list_roots`, { client_roots: someRoots });
    assert.match(textOf(result), /file:\/\/\/test\/root/);
  },
  'input-required-result-request-state': async (peer) => {
    const { result } = await askedAndAnswered(peer, `${prefix}request_state`, { confirm: accept({ ok: true }) });
    assert.match(textOf(result), /state-ok/);
  },
  'input-required-result-multiple-input-requests': async (peer) => {
    const { inputRequests } = await peer.call(`${prefix}multiple_inputs`);
    assert.deepEqual(Object.values(inputRequests).map(({ method }) => method).sort(),
      ['elicitation/create', 'roots/list', 'sampling/createMessage']);
    const { result } = await askedAndAnswered(peer, `${prefix}multiple_inputs`,
      { user_name: accept({ name: 'Alice' }), greeting: sampled('Hi'), client_roots: someRoots });
    assert.equal(textOf(result), 'Answered: 3');
  },
  'input-required-result-multi-round': async (peer) => {
    const { result, round } = await askedAndAnswered(peer, `${prefix}multi_round`,
      { step1: accept({ name: 'Alice' }), step2: accept({ color: 'blue' }) });
    assert.deepEqual([textOf(result), round], ['Alice likes blue', 2]);
  },
  'input-required-result-missing-input-response': async (peer) => {
    const result = await peer.call(`${prefix}elicitation`, {}, { inputResponses: { wrong_key: accept({ data: 'wrong' }) } });
    assert.deepEqual(Object.keys(result.inputRequests), ['user_name']);
  },
  'input-required-result-non-tool-request': async (peer) => {
    const name = `${prefix}prompt`;
    const first = await peer.request('prompts/get', { name });
    const second = await peer.request('prompts/get', {
      name, requestState: first.requestState, inputResponses: { user_context: accept({ context: 'test' }) } });
    assert.match(second.messages[0].content.text, /test/);
  },
  'input-required-result-result-type': async (peer) => {
    assert.equal((await peer.call(`${prefix}elicitation`)).resultType, 'input_required');
  },
  'input-required-result-unsupported-methods': async (peer) => {
    for (const method of ['tools/list', 'prompts/list']) assert.equal((await peer.request(method)).resultType, 'complete');
  },
  'input-required-result-tampered-state': async (peer) => {
    const { requestState } = await peer.call(`${prefix}tampered_state`);
    const more = { inputResponses: { confirm: accept({ ok: true }) } };
    const error = await peer.refused('tools/call',
      { name: `${prefix}tampered_state`, arguments: {}, ...more, requestState: `${requestState}-TAMPERED` });
    assert.equal(error.code, -32602);
    assert.match(textOf(await peer.call(`${prefix}tampered_state`, {}, { ...more, requestState })), /integrity-ok/);
  },
  'input-required-result-capability-check': async (peer) => {
    const { inputRequests } = await peer.call(`${prefix}capabilities`, {}, {}, { capabilities: { sampling: {} } });
    assert.deepEqual(Object.values(inputRequests).map(({ method }) => method), ['sampling/createMessage']);
    const error = await peer.refused('tools/call', { name: `${prefix}elicitation` }, { capabilities: {} });
    assert.deepEqual([error.code, error.data.requiredCapabilities], [-32021, { elicitation: {} }]);
  },
  'input-required-result-ignore-extra-params': async (peer) => {
    const result = await peer.call(`${prefix}elicitation`, {},
      { inputResponses: { user_name: accept({ name: 'Alice' }), extra: accept({ foo: 'bar' }) } });
    assert.equal(textOf(result), 'Hello, Alice!');
  },
  'input-required-result-validate-input': async (peer) => {
    for (const inputResponses of [{ user_name: 12345 }, null]) {
      const error = await peer.refused('tools/call', { name: `${prefix}elicitation`, arguments: {}, inputResponses });
      assert.equal(error.code, -32602);
    }
  },
};

// Asks for the task until `fits` holds.
async function taskWhen(peer, taskId, fits) {
  for (let i = 0; i < 200; ++i) {
    const task = await peer.request('tasks/get', { taskId });
    if (fits(task)) return task;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  throw new Error(`task ${taskId} does not get there`);
}
const isOver = ({ status }) => ['completed', 'failed', 'cancelled'].includes(status);

export const taskScenarios = {
  'tasks-lifecycle': async (peer) => {
    assert.equal((await peer.call('greet', { name: 'World' })).resultType, 'complete');
    const { taskId } = await peer.call('slow_compute', { seconds: 0.2, label: 'x' });
    assert.equal((await peer.request('tasks/get', { taskId })).status, 'working');
    assert.match(textOf((await taskWhen(peer, taskId, isOver)).result), /Computed x/);
    const failing = await peer.call('failing_job');
    const failed = await taskWhen(peer, failing.taskId, isOver);
    assert.deepEqual([failed.status, failed.result.isError], ['completed', true]);
    const breaking = await peer.call('protocol_error_job');
    const broken = await taskWhen(peer, breaking.taskId, isOver);
    assert.deepEqual([broken.status, broken.error.code, broken.result], ['failed', -32603, undefined]);
    const long = await peer.call('slow_compute', { seconds: 60 });
    await peer.request('tasks/cancel', { taskId: long.taskId });
    assert.equal((await peer.request('tasks/get', { taskId: long.taskId })).status, 'cancelled');
    await peer.request('tasks/cancel', { taskId: long.taskId });
  },
  'tasks-capability-negotiation': async (peer) => {
    assert.deepEqual((await peer.request('server/discover')).capabilities.extensions, { 'io.modelcontextprotocol/tasks': {} });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const error = await peer.refused(method, { taskId: 'x', inputResponses: {} }, { capabilities: {} });
      assert.equal(error.code, -32021, method);
    }
    assert.equal((await peer.call('slow_compute', { seconds: 0 }, {}, { capabilities: {} })).resultType, 'complete');
  },
  'tasks-wire-fields': async (peer) => {
    const task = await peer.call('slow_compute', { seconds: 0 });
    assert.deepEqual([task.ttlMs, task.pollIntervalMs, 'ttl' in task, 'pollInterval' in task], [3600000, 1000, false, false]);
    const over = await taskWhen(peer, task.taskId, isOver);
    assert.ok(!over.result._meta['io.modelcontextprotocol/related-task']);
  },
  'tasks-request-state-removal': async (peer) => {
    const task = await peer.call('slow_compute', { seconds: 60 });
    assert.ok(!('requestState' in task) && !('requestState' in await peer.request('tasks/get', { taskId: task.taskId })));
  },
  'tasks-mrtr-input': async (peer) => {
    const { taskId } = await peer.call('multi_input');
    const asks = await taskWhen(peer, taskId, ({ status }) => status === 'input_required');
    assert.deepEqual(Object.keys(asks.inputRequests), ['name', 'confirm']);
    await peer.request('tasks/update', { taskId, inputResponses: { name: accept({ name: 'A' }) } });
    assert.deepEqual(Object.keys((await peer.request('tasks/get', { taskId })).inputRequests), ['confirm']);
    await peer.request('tasks/update', { taskId, inputResponses: { confirm: accept({ confirm: true }) } });
    assert.equal((await taskWhen(peer, taskId, isOver)).status, 'completed');
  },
  'tasks-dispatch-and-envelope': async (peer) => {
    for (const method of ['tasks/result', 'tasks/list']) assert.equal((await peer.refused(method, { taskId: 'x' })).code, -32601);
    assert.equal((await peer.call('greet', { name: 'x' }, { task: { ttl: 60000 } })).resultType, 'complete');
    assert.equal((await peer.refused('tasks/get', { taskId: 'nonexistent' })).code, -32602);
  },
  'tasks-status-notifications': async (peer) => {
    const { taskId } = await peer.call('slow_compute', { seconds: 0.5 });
    peer.start('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    const ack = await peer.message(({ method }) => method === 'notifications/subscriptions/acknowledged');
    assert.deepEqual(ack.params.notifications, { taskIds: [taskId] });
    const told = await peer.message(({ method, params }) => method === 'notifications/tasks' && isOver(params));
    assert.deepEqual([told.params.taskId, told.params.status], [taskId, 'completed']);
  },
  'tasks-required-task-error': async (peer) => {
    const error = await peer.refused('tools/call', { name: 'failing_job' }, { capabilities: {} });
    assert.deepEqual([error.code, error.data.requiredCapabilities],
      [-32021, { extensions: { 'io.modelcontextprotocol/tasks': {} } }]);
  },
  'tasks-mrtr-composition': async (peer) => {
    const { result } = await askedAndAnswered(peer, 'test_tool_with_task', { user_name: accept({ name: 'Alice' }) });
    assert.equal(result.resultType, 'task');
    assert.match(textOf((await taskWhen(peer, result.taskId, isOver)).result), /Alice/);
  },
};
