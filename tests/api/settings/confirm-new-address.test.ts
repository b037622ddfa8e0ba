import { beforeEach, expect, test } from 'vitest';
import { sendForm } from '#tests/harness/anonymous.ts';
import { signedInBrowser } from '#tests/harness/browser.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { addressKeyMailedTo, mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { stillClock } from '#tests/harness/steady-service.ts';

const SPENT = 'This link was used, has expired, or belongs to another account.';
const DAY_MS = 24 * 3600 * 1000;

let ada: Client;
let wanted: string;
let count = 0;
const service = await startTestService({}, { clock: stillClock() });
const bo = await service.createUser('Bo');
beforeEach(async () => {
  ada = await service.createUser('Ada');
  wanted = `wanted${++count}@example.com`;
});

async function requestChange(client: Client, email = wanted): Promise<string> {
  const { status, body } = await client.patch('/settings', { email });
  expect([status, body.msg]).toEqual([200, '']);
  await service.settle();
  return addressKeyMailedTo(service, email) ?? 'no key';
}
const confirm = (client: Client, key: string) => client.post(`/settings/email/${key}`);
const addressOf = async ({ userId }: Client): Promise<string> =>
  (await service.owner.get(`/users/${userId}`)).body.user.delivery_email;
const organize = async (settings: Params) =>
  expect((await service.owner.patch('/realm', settings)).status).toBe(200);

test('A new address applies once its link is confirmed; others get an event, and the old address a mail', async () => {
  const queue = await bo.listen();
  const key = await requestChange(ada);
  expect(await addressOf(ada)).toBe(ada.email);
  expect((await queue.drain()).filter(({ type }) => type === 'realm_user')).toEqual([]);
  await service.rest();
  // The reads of the job are not part of the call.
  const runJobs = holdJobs(service);
  service.meter.reset();
  const { status, body } = await confirm(ada, key);
  expect([status, body.email]).toEqual([200, wanted]);
  expect(service.meter.read).toBeLessThanOrEqual(7);
  expect(service.meter.write).toBeLessThanOrEqual(15);
  await runJobs();
  expect(await addressOf(ada)).toBe(wanted);
  const people = (await queue.drain()).map(({ person }) => person);
  expect(people).toContainEqual({ user_id: ada.userId, delivery_email: wanted });
  await service.settle();
  expect(mailsTo(service, ada.email).at(-1)?.content).toContain(wanted);
  const signIn = (username: string) =>
    sendForm(service.url, '/fetch_api_key', { username, password: PASSWORD });
  expect([(await signIn(wanted)).status, (await signIn(ada.email)).status]).toEqual([200, 401]);
});

test('The mail names the organization and leads to it, with a key of 32 bytes', async () => {
  await organize({ name: 'Lovelace & Sons' });
  const key = await requestChange(ada);
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  const { content = '', subject = '' } = mailsTo(service, wanted).at(-1) ?? {};
  expect(content).toContain(`${service.url}/accounts/confirm_new_email/${key}/`);
  expect(`${subject} ${content}`).toContain('Lovelace & Sons');
});

test('The browser that confirms stays signed in', async () => {
  const own = await signedInBrowser(service.url, ada.email);
  const key = await requestChange(ada);
  expect((await own.call('POST', `/settings/email/${key}`)).status).toBe(200);
  const { body } = await own.call('GET', '/users/me');
  expect([body.user_id, body.delivery_email]).toEqual([ada.userId, wanted]);
});

test('The link works once, for its person, while it is the newest and the old address is the same', async () => {
  const first = await requestChange(ada);
  const key = await requestChange(ada);
  expectRefusal(await confirm(ada, first), SPENT);
  expectRefusal(await confirm(bo, key), SPENT);
  expect((await sendForm(service.url, `/settings/email/${key}`, {})).status).toBe(401);
  expectRefusal(await confirm(ada, 'x'.repeat(3_000)), SPENT);
  const newest = await requestChange(ada);
  expectRefusal(await confirm(ada, key), SPENT);
  const replies = await Promise.all([confirm(ada, newest), confirm(ada, newest)]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await addressOf(ada)).toBe(wanted);
});

test('The link works for a day', async () => {
  const cy = await service.createUser('Cy');
  const [key, other] = [await requestChange(ada), await requestChange(cy, `another.${wanted}`)];
  service.advance(DAY_MS - 1_000);
  expect((await confirm(cy, other)).status).toBe(200);
  service.advance(1_000);
  expectRefusal(await confirm(ada, key), SPENT);
  expect(await addressOf(ada)).toBe(ada.email);
});

test('A change of letter case in an address needs a link like any other', async () => {
  const louder = ada.email.replace('ada', 'ADA');
  expect((await confirm(ada, await requestChange(ada, louder))).status).toBe(200);
  expect(await addressOf(ada)).toBe(louder);
});

test('An address with an account gets no link, and one that was taken meanwhile is refused', async () => {
  expect(await requestChange(ada, bo.email)).toBe('no key');
  expect(mailsTo(service, bo.email).at(-1)?.content).toContain('another account');
  const [mine, theirs] = [await requestChange(ada), await requestChange(bo)];
  const before = bo.email;
  expect((await confirm(ada, mine)).status).toBe(200);
  expectRefusal(await confirm(bo, theirs), 'Already has an account.');
  expect(await addressOf(bo)).toBe(before);
});

test('An address that the organization forbids is refused when requested and when confirmed', async () => {
  const key = await requestChange(ada);
  await organize({ email_changes_disabled: true });
  const disabled = 'Email address changes are disabled in this organization.';
  expectRefusal(await confirm(ada, key), disabled);
  await organize({ email_changes_disabled: false, disallow_disposable_email_addresses: true });
  const email = 'ada@mailinator.com';
  expectRefusal(await ada.patch('/settings', { email }), `Email '${email}' not allowed in this organization`);
  expect((await confirm(ada, key)).status).toBe(200);
});

test('An address gets a limited number of mails a day', async () => {
  for (let n = 0; n < 5; n++) await requestChange(ada);
  expect((await ada.patch('/settings', { email: wanted })).status).toBe(429);
  expect(mailsTo(service, wanted)).toHaveLength(5);
});
