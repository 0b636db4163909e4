// A reporter for `node --test` that prints one JSON object a test, for scripts/run_tests.mjs.
// Groups of tests (describe) are not tests, so they are left out.
export default async function* report(source) {
  for await (const { type, data } of source) {
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite') continue;
    const reason = data.skip ?? data.todo;
    const error = data.details?.error;
    const cause = error?.cause ?? error;
    yield `${JSON.stringify({
      outcome: type === 'test:fail' ? 'failed' : reason !== undefined ? 'skipped' : 'passed',
      name: data.name,
      detail: type === 'test:fail' ? String(cause?.stack ?? cause) : typeof reason === 'string' ? reason : '',
    })}\n`;
  }
}
