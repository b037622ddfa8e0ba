import { afterEach, expect, test, vi } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterEach(() => vi.restoreAllMocks());

const report = (body: string, contentType = 'application/csp-report') =>
  sendTo(`${service.url}/report/csp_violations`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
  });
const reportOf = (fields: object): string => JSON.stringify({ 'csp-report': fields });

/** The log lines about violations while the function runs. */
async function logged(act: () => Promise<unknown>): Promise<unknown[]> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await act();
  const lines = written.mock.calls.map(([line]) => String(line)).filter((line) => line.startsWith('{'));
  vi.restoreAllMocks();
  return lines.map((line) => JSON.parse(line)).filter(({ message }) => /violation/.test(message));
}

test.each([
  [{ 'effective-directive': 'script-src-elem', 'blocked-uri': 'https://evil.example/secret' }, 'script-src'],
  [{ 'violated-directive': "img-src 'self' data:" }, 'img-src'],
  [{ 'effective-directive': 'x'.repeat(1000) }, 'other'],
  [{}, 'other'],
])('A report of %j is logged by its directive alone', async (fields, directive) => {
  const lines = await logged(async () => {
    const { status, body } = await report(reportOf(fields));
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  });
  const message = 'A browser reported a violation of the content security policy';
  expect(lines).toEqual([{ level: 'info', message, directive }]);
});

test.each(['', '{', '[]', '{"csp-report": 5}', '{"csp-report": {"effective-directive": 5}}'])(
  'The body %j is no report',
  async (body) => {
    const lines = await logged(async () =>
      expectRefusal(await report(body), 'Malformed JSON', { code: 'INVALID_JSON' }),
    );
    expect(lines).toEqual([]);
  },
);

test('A report counts towards the limit of its sender’s address', async () => {
  const requestLimits = { ...service.services.config.requestLimits };
  const limited = await startTestService({
    requestLimits: { ...requestLimits, address: { requests: 2, windowSeconds: 60 } },
  });
  const question = {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report' },
    body: reportOf({}),
  };
  const send = () => sendTo(`${limited.url}/report/csp_violations`, question);
  const statuses = [await send(), await send(), await send()].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 429]);
  await limited.stop();
});
