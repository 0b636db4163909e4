// The scenarios of the official suite that are not about HTTP, on stdio: name → what a peer does.
// The suite's own code says what is asked for; here it is said for a transport that it does not have.
import assert from 'node:assert/strict';

import { modern } from './stdio_peer.mjs';

const textOf = (result) => result.content[0].text;

async function callsGive(peer, tool, types) {
  const { content } = await peer.call(tool);
  assert.deepEqual(content.map((block) => block.type), types);
  return content;
}

async function readsAs(peer, uri, mimeType) {
  const { contents } = await peer.request('resources/read', { uri });
  assert.equal(contents.length, 1);
  assert.deepEqual([contents[0].uri, contents[0].mimeType], [uri, mimeType]);
  return contents[0];
}

async function promptOf(peer, name, args) {
  const { messages } = await peer.request('prompts/get', { name, ...(args && { arguments: args }) });
  return messages.map((message) => message.content);
}

// Served in both eras.
export const both = {
  'completion-complete': async (peer) => {
    const { completion } = await peer.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: 'he' } });
    assert.deepEqual(completion, { values: ['hello', 'help'], total: 2, hasMore: false });
  },
  'tools-list': async (peer) => {
    const { tools } = await peer.request('tools/list');
    assert.equal(tools[0].name, 'test_simple_text');
    for (const tool of tools) assert.ok(tool.description, `${tool.name} has a description`);
  },
  'tools-call-simple-text': async (peer) => {
    const result = await peer.request('tools/call', { name: 'test_simple_text' });
    assert.equal(textOf(result), 'This is a simple text response for testing.');
  },
  'tools-call-image': async (peer) => {
    const [image] = await callsGive(peer, 'test_image_content', ['image']);
    assert.equal(image.mimeType, 'image/png');
  },
  'tools-call-audio': async (peer) => {
    const [audio] = await callsGive(peer, 'test_audio_content', ['audio']);
    assert.equal(audio.mimeType, 'audio/wav');
  },
  'tools-call-embedded-resource': async (peer) => {
    const [block] = await callsGive(peer, 'test_embedded_resource', ['resource']);
    assert.deepEqual(block.resource, {
      uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' });
  },
  'tools-call-mixed-content': (peer) => callsGive(peer, 'test_multiple_content_types', ['text', 'image', 'resource']),
  'tools-call-error': async (peer) => {
    const result = await peer.call('test_error_handling');
    assert.equal(result.isError, true);
    assert.match(textOf(result), /This tool intentionally returns an error for testing/);
  },
  'tools-call-with-progress': async (peer) => {
    assert.equal(textOf(await peer.call('test_tool_with_progress', {}, {}, { meta: { progressToken: 'p' } })), 'p');
    const steps = peer.messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);
    assert.deepEqual(steps.map(({ progressToken, progress, total }) => [progressToken, progress, total]),
      [['p', 0, 100], ['p', 50, 100], ['p', 100, 100]]);
  },
  'json-schema-2020-12': async (peer) => {
    const { tools } = await peer.request('tools/list');
    const { inputSchema } = tools.find((tool) => tool.name === 'json_schema_2020_12_tool');
    assert.equal(inputSchema.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.equal(inputSchema.$defs.address.$anchor, 'addressDef');
    assert.deepEqual(inputSchema.else, { required: ['email'] });
  },
  'resources-list': async (peer) => {
    const { resources } = await peer.request('resources/list');
    for (const { uri, name } of resources) assert.ok(uri && name);
    assert.ok(resources.some(({ uri }) => uri === 'test://static-text'));
  },
  'resources-read-text': async (peer) => { assert.ok((await readsAs(peer, 'test://static-text', 'text/plain')).text); },
  'resources-read-binary': async (peer) => { assert.ok((await readsAs(peer, 'test://static-binary', 'image/png')).blob); },
  'resources-templates-read': async (peer) => {
    const { text } = await readsAs(peer, 'test://template/123/data', 'application/json');
    assert.deepEqual(JSON.parse(text), { id: '123', templateTest: true, data: 'Data for ID: 123' });
  },
  'prompts-list': async (peer) => {
    const { prompts } = await peer.request('prompts/list');
    for (const { name, description } of prompts) assert.ok(name && description);
  },
  'prompts-get-simple': async (peer) => {
    assert.deepEqual((await promptOf(peer, 'test_simple_prompt')).map(({ type }) => type), ['text']);
  },
  'prompts-get-with-args': async (peer) => {
    const [block] = await promptOf(peer, 'test_prompt_with_arguments', { arg1: 'hello', arg2: 'world' });
    assert.equal(block.text, "Prompt with arguments: arg1='hello', arg2='world'");
  },
  'prompts-get-embedded-resource': async (peer) => {
    const [block] = await promptOf(peer, 'test_prompt_with_embedded_resource', { resourceUri: 'test://x' });
    assert.equal(block.resource.uri, 'test://x');
  },
  'prompts-get-with-image': async (peer) => {
    assert.deepEqual((await promptOf(peer, 'test_prompt_with_image')).map(({ type }) => type), ['image', 'text']);
  },
};

const updates = (peer) => peer.messages.filter(({ method }) => method === 'notifications/resources/updated').length;

// Of sessions that began with `initialize`.
export const legacyOnly = {
  'server-initialize': async (peer) => {
    const first = JSON.parse(peer.lines[0]).result;
    assert.equal(first.protocolVersion, peer.revision);
    assert.equal(first.serverInfo.name, 'ducat');
    assert.ok(first.capabilities.tools && first.capabilities.prompts && first.capabilities.resources);
  },
  ping: async (peer) => { assert.deepEqual(await peer.request('ping'), {}); },
  'logging-set-level': async (peer) => {
    assert.deepEqual(await peer.request('logging/setLevel', { level: 'info' }), {});
    assert.equal((await peer.refused('logging/setLevel', { level: 'loud' })).code, -32602);
  },
  'tools-call-with-logging': async (peer) => {
    await peer.call('test_tool_with_logging');
    const logs = peer.messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);
    assert.equal(logs.length, 3);
    assert.equal(logs[0].data.message, 'Tool execution started');
  },
  'resources-subscribe': async (peer) => {
    assert.deepEqual(await peer.request('resources/subscribe', { uri: 'test://watched-resource' }), {});
  },
  'resources-unsubscribe': async (peer) => {
    await peer.request('resources/subscribe', { uri: 'test://watched-resource' });
    assert.deepEqual(await peer.request('resources/unsubscribe', { uri: 'test://watched-resource' }), {});
    assert.equal(updates(peer), 0);
  },
  'tools-call-sampling': async (peer) => {
    peer.answers['sampling/createMessage'] = ({ messages, maxTokens }) => {
      assert.deepEqual([messages[0].content.text, maxTokens], ['Test prompt', 100]);
      return { role: 'assistant', model: 'm', content: { type: 'text', text: 'It is so.' } };
    };
    assert.equal(textOf(await peer.call('test_sampling', { prompt: 'Test prompt' })), 'LLM response: It is so.');
  },
  'tools-call-elicitation': async (peer) => {
    peer.answers['elicitation/create'] = ({ mode, message }) => {
      assert.deepEqual([mode, message], ['form', 'Who are you?']);
      return { action: 'accept', content: { username: 'u', email: 'u@example.com' } };
    };
    assert.equal(textOf(await peer.call('test_elicitation', { message: 'Who are you?' })),
      'User response: action=accept, content={"username":"u","email":"u@example.com"}');
    peer.answers['elicitation/create'] = { action: 'decline' };
    assert.match(textOf(await peer.call('test_elicitation', { message: 'Who?' })), /action=decline/);
  },
  'elicitation-sep1034-defaults': async (peer) => {
    let defaults;
    peer.answers['elicitation/create'] = ({ requestedSchema }) => {
      defaults = Object.fromEntries(Object.entries(requestedSchema.properties).map(([name, field]) => [name, field.default]));
      return { action: 'accept', content: defaults };
    };
    const result = await peer.call('test_elicitation_sep1034_defaults');
    assert.deepEqual(defaults, { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true });
    assert.match(textOf(result), /^Elicitation completed: action=accept, content=\{/);
  },
  'elicitation-sep1330-enums': async (peer) => {
    let fields;
    peer.answers['elicitation/create'] = ({ requestedSchema }) => {
      fields = requestedSchema.properties;
      return { action: 'accept', content: {
        untitledSingle: 'option1', titledSingle: 'value1', legacyEnum: 'opt1', untitledMulti: ['option1'], titledMulti: ['value2'] } };
    };
    const result = await peer.call('test_elicitation_sep1330_enums');
    assert.equal(result.isError, undefined);
    assert.equal(fields.untitledSingle.enum.length, 3);
    assert.ok(fields.titledSingle.oneOf.every(({ const: value, title }) => value && title));
    assert.equal(fields.legacyEnum.enumNames.length, fields.legacyEnum.enum.length);
    assert.ok(fields.untitledMulti.items.enum && fields.titledMulti.items.anyOf);
  },
};

// Everything in each request.
export const modernOnly = {
  'server-stateless': async (peer) => {
    const { supportedVersions, capabilities } = await peer.request('server/discover');
    assert.deepEqual(supportedVersions, [modern]);
    assert.ok(capabilities.tools);
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list']) {
      assert.equal((await peer.refused(method, {})).code, -32601, method);
    }
    const { id, reply } = peer.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await peer.message(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await peer.call('test_trigger_tool_change');
    const change = await peer.message(({ method }) => method === 'notifications/tools/list_changed');
    assert.equal(change.params._meta['io.modelcontextprotocol/subscriptionId'], id);
    peer.child.kill('SIGTERM');
    assert.equal((await reply).result.resultType, 'complete');
    await peer.message(({ method, params }) => method === 'notifications/cancelled' && params.requestId === id);
  },
  'sep-2164-resource-not-found': async (peer) => {
    const error = await peer.refused('resources/read', { uri: 'test://no-such-thing' });
    assert.deepEqual([error.code, error.data.uri], [-32602, 'test://no-such-thing']);
  },
  caching: async (peer) => {
    for (const method of ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      const { ttlMs, cacheScope } = await peer.request(method);
      assert.ok(Number.isInteger(ttlMs) && ttlMs > 0 && cacheScope === 'public', method);
    }
    const read = await peer.request('resources/read', { uri: 'test://static-text' });
    assert.deepEqual([read.ttlMs, read.cacheScope], [0, 'public']);
  },
};
