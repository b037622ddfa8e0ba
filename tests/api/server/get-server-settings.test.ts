// The operations checkCompatibility, getServerSettings and reportCspViolation.

import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { send, sendTo } from '#tests/harness/anonymous.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const settings = async () => (await send(service.url, '/server_settings')).body;

describe('Server settings', () => {
  test('Come without an account, and the same for a signed-in user', async () => {
    const anonymous = await settings();
    expect(anonymous.result).toBe('success');
    expect((await service.owner.get('/server_settings')).body).toEqual(anonymous);
  });

  test('Contain the version under both sets of names', async () => {
    const body = await settings();
    expect(body.zulip_version).toMatch(/^\d+\.\d+$/);
    expect(Number(body.zulip_version)).toBeGreaterThanOrEqual(10);
    expect(body.zulip_feature_level).toBe(512);
    for (const name of ['version', 'feature_level', 'merge_base'])
      expect(body[`service_${name}`]).toBe(body[`zulip_${name}`]);
  });

  test('Have every field that a mobile client requires', async () => {
    expect(await settings()).toEqual({
      result: 'success',
      msg: '',
      service_version: expect.any(String),
      service_feature_level: 512,
      service_merge_base: expect.any(String),
      zulip_version: expect.any(String),
      zulip_feature_level: 512,
      zulip_merge_base: expect.any(String),
      authentication_methods: expect.any(Object),
      external_authentication_methods: [],
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: service.url,
      realm_uri: service.url,
      realm_name: 'Team Chat',
      realm_icon: expect.stringMatching(/^https?:/),
      realm_description: '',
      realm_web_public_access_enabled: false,
    });
  });

  test('Offer signing in by password and by no other method', async () => {
    const { authentication_methods: methods } = await settings();
    expect(Object.keys(methods)).toEqual(
      expect.arrayContaining(['password', 'dev', 'email', 'saml', 'openid connect']),
    );
    const offered = Object.keys(methods).filter((name) => methods[name] !== false);
    expect(offered).toEqual(['password', 'email']);
  });

  test('Agree with register', async () => {
    const [body, { snapshot }] = [await settings(), await service.owner.register()];
    for (const name of ['zulip_version', 'zulip_feature_level', 'realm_name', 'realm_url'])
      expect(snapshot[name], name).toEqual(body[name]);
  });
});

const check = (userAgent: string) =>
  sendTo(`${service.url}/compatibility`, { headers: { 'user-agent': userAgent } });

test.each([
  'ZulipMobile/16.2.96 (Android 10)',
  'ZulipMobile/27.192 (Android 13)',
  'ZulipMobile/1.0.13 (iOS 10.3.1)',
  'ZulipElectron/5.4.3 Mozilla/5.0 (Linux)',
  'ZulipFlutter/0.0.30 (Android 14)',
  'curl/8.1',
])('%s is compatible', async (userAgent) => {
  const { status, body } = await check(userAgent);
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
});

test.each([
  'ZulipInvalid/5.0',
  'ZulipInvalid',
  'ZulipMobile/16.2.95 (Android 10)',
  'ZulipMobile/1.0 (Android 4)',
  'ZulipMobile/16.2 (Android 9)',
])('%s is too old', async (userAgent) => {
  expectRefusal(await check(userAgent), 'Client is too old');
});

test('A request without User-Agent is refused', async () => {
  const body = await new Promise<unknown>((resolve, reject) => {
    request(`${service.url}/compatibility`, (response) => resolve(json(response)))
      .on('error', reject)
      .end();
  });
  expect(body).toMatchObject({ result: 'error', msg: 'User-Agent header missing from request' });
});

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
