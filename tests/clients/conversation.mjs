// What every client does with the server: list the tools, make five calls of which one is refused,
// read a resource, get the prompt. `client` is anything with the methods of the SDK's Client.
import assert from 'node:assert/strict';

export const toolNames = [
  'describe_table', 'explain_query', 'list_tables', 'profile_table', 'query', 'sample_rows',
  'search_columns', 'table_relationships',
];
export const tableNames = ['articles_2025', 'articles_2026', 'orders', 'subscribers', 'web_events'];

const joinSql = 'SELECT s.country, count(*) AS orders FROM orders o JOIN subscribers s USING (subscriber_id) '
  + 'GROUP BY ALL ORDER BY orders DESC';

export async function converse(client) {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  for (const name of toolNames) assert.ok(names.includes(name), `${name} is listed`);
  for (const tool of tools) assert.ok(tool.description.length > 0, `${tool.name} has a description`);

  await listTables(client);
  await profileOrders(client);
  await joinTables(client);
  await findRelationships(client);
  await refuseCopy(client);
  await readSchema(client);
  await getPrompt(client);
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(Array.isArray(result.content) && result.content[0].type === 'text', `${name} answers with text`);
  return result;
}

export async function listTables(client) {
  const { structuredContent, isError } = await call(client, 'list_tables', { wait_ms: 30000 });
  assert.ok(!isError);
  const ready = structuredContent.tables.filter((table) => table.status === 'ready');
  for (const name of tableNames) assert.ok(ready.some((table) => table.name === name), `${name} is ready`);
  const orders = ready.find((table) => table.name === 'orders');
  assert.deepEqual([orders.row_count, orders.column_count, orders.source], [1200, 9, 'orders.parquet']);
}

async function profileOrders(client) {
  const { structuredContent } = await call(client, 'profile_table', { name: 'orders', columns: ['plan', 'amount_eur'] });
  const [plan, amount] = structuredContent.columns;
  assert.deepEqual(plan.top_values, [
    { value: 'print_digital', count: 364 }, { value: 'digital', count: 323 },
    { value: 'print', count: 257 }, { value: 'student', count: 256 }]);
  assert.deepEqual(
    [amount.type, amount.distinct_count, amount.min, amount.max, amount.mean, amount.stddev, amount.top_values],
    ['DECIMAL(10,2)', 36, 3.68, 418.8, 73.488592, 110.934603, null]);
}

async function joinTables(client) {
  const { structuredContent } = await call(client, 'query', { sql: joinSql });
  assert.deepEqual(structuredContent.columns.map((column) => column.name), ['country', 'orders']);
  const total = structuredContent.rows.reduce((sum, [, orders]) => sum + orders, 0);
  assert.equal(total, 1200);
  assert.equal(structuredContent.truncated, false);
}

async function findRelationships(client) {
  const { structuredContent } = await call(client, 'table_relationships', {});
  const found = structuredContent.candidates.map((each) =>
    [each.from_table, each.to_table, each.to_column, each.containment, each.sampled_values]);
  assert.deepEqual(found.sort(), [
    ['orders', 'subscribers', 'subscriber_id', 1, 295], ['web_events', 'subscribers', 'subscriber_id', 1, 260]]);
}

async function refuseCopy(client) {
  const result = await call(client, 'query', { sql: "COPY orders TO '/tmp/x.csv'" });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /^\[denied_keyword\] [^\n]+\nHint: /);
  assert.equal(result.structuredContent.error.data.reason, 'denied_keyword');
}

async function readSchema(client) {
  const { contents } = await client.readResource({ uri: 'duckdb://schema/orders' });
  assert.equal(contents[0].mimeType, 'text/markdown');
  assert.match(contents[0].text, /amount_eur/);
}

async function getPrompt(client) {
  const { prompts } = await client.listPrompts();
  assert.ok(prompts.some((prompt) => prompt.name === 'analyze_table'));
  const { messages } = await client.getPrompt({ name: 'analyze_table', arguments: { table: 'orders' } });
  assert.deepEqual(messages.map((message) => [message.role, message.content.type]), [['user', 'text'], ['user', 'resource']]);
  assert.match(messages[0].content.text, /profile_table/);
  assert.equal(messages[1].content.resource.uri, 'duckdb://schema/orders');
}
