import { beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '#shared/runtime/config.ts';
import { tryConfirm } from '#tests/api/joining/joining-calls.ts';
import type { Client } from '#tests/harness/client.ts';
import { readMails } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { failed, invite, listFor, makeLink, newAddress, resend, tryInvite } from './invitation-calls.ts';

/** As many as one call invites. */
const MANY = 100;
/** More than are invited by one change. */
const AGAIN = 40;
const DAY_MS = 24 * 3600 * 1000;
const addresses = (count: number, name: string): string =>
  Array.from({ length: count }, (_, n) => `${name}${n}@example.com`).join(',');

/** A service with other limits for invitations, and one of its members. */
async function startLimited(invitations: { limit: number; windowSeconds: number }) {
  const service = await startTestService({ mailLimits: { ...defaultConfig.mailLimits, invitations } });
  return { service, member: await createUser(service, 'Member') };
}

describe('Inviting 100 people', () => {
  let service: TestService;
  let member: Client;
  beforeAll(async () => {
    const { windowSeconds } = defaultConfig.mailLimits.invitations;
    ({ service, member } = await startLimited({ limit: MANY + AGAIN, windowSeconds }));
  });

  const DAILY =
    'To protect users, the number of invitations that an organization can send in one day is limited. Because it is reached, no invitations were sent.';
  test('Works in one call, and a second call invites some again, each with a mail of their own', async () => {
    service.meter.reset();
    expect((await tryInvite(member, { invitee_emails: addresses(MANY, 'p') })).status).toBe(200);
    const { write, read } = service.meter;
    expect(write / MANY).toBeLessThan(10);
    expect(read / MANY).toBeLessThan(3);
    expect(write + read).toBeLessThan(1_000);
    await service.settle();
    const first = await listFor(member);
    expect(new Set(first.map(({ email }) => email)).size).toBe(MANY);
    expect(new Set(readMails(service).map(({ to }) => to)).size).toBe(MANY);

    expect((await tryInvite(member, { invitee_emails: addresses(AGAIN, 'p') })).status).toBe(200);
    await service.settle();
    const second = await listFor(member);
    expect(second).toHaveLength(MANY);
    const before = new Set(first.map(({ id }) => id));
    const repeated = second.filter(({ id }) => !before.has(id));
    expect(repeated.map(({ email }) => email).sort()).toEqual(addresses(AGAIN, 'p').split(',').sort());
    expect(readMails(service)).toHaveLength(MANY + AGAIN);
  });

  test('Works up to the daily limit of invitations, and again on the next day', async () => {
    expect(defaultConfig.mailLimits.invitations.limit).toBe(20 * MANY);
    const before = await listFor(member);
    const fields = failed([], { daily_limit_reached: true });
    expectRefusal(await tryInvite(member, { invitee_emails: newAddress() }), DAILY, fields);
    expectRefusal(await resend(member, before[0]?.id ?? 0), DAILY, fields);
    expect(await listFor(member)).toEqual(before);
    service.advance(DAY_MS + 1000);
    expect((await tryInvite(member, { invitee_emails: newAddress() })).status).toBe(200);
  });
});

describe('Simultaneous invitations', () => {
  let member: Client;
  beforeAll(async () => {
    ({ member } = await startLimited({ limit: 50, windowSeconds: 3600 }));
  });

  test('Fail if a single call has more of them than one day allows', async () => {
    const { status, body } = await tryInvite(member, { invitee_emails: addresses(51, 'too-many-') });
    expect([status, body.daily_limit_reached]).toEqual([400, true]);
    expect(await listFor(member)).toEqual([]);
  });

  test('Become one if one person invites the same address', async () => {
    const email = newAddress();
    const calls = Array.from({ length: 6 }, () => tryInvite(member, { invitee_emails: email }));
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    expect(await listFor(member)).toMatchObject([{ email }]);
  });

  test('Never exceed the limit', async () => {
    const calls = Array.from({ length: 10 }, (_, n) =>
      tryInvite(member, { invitee_emails: addresses(10, `at-once-${n}-`) }),
    );
    const outcomes = (await Promise.all(calls)).map(({ body }) => body.daily_limit_reached ?? 'sent');
    // Six of the fifty come from the test before.
    expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(6);
    expect(await listFor(member)).toHaveLength(41);
  });
});

test('An invitation that is sent again counts like a new one', async () => {
  const { member } = await startLimited({ limit: 3, windowSeconds: 3600 });
  const { id } = await invite(member);
  for (let n = 0; n < 2; n++) expect((await resend(member, id)).status).toBe(200);
  const { status, body } = await resend(member, id);
  expect([status, body.daily_limit_reached]).toEqual([400, true]);
});

describe('Invitations by e-mail', () => {
  test('Fail for new accounts, except administrators, if the operator requires it', async () => {
    const service = await startTestService({ inviterMinAgeSeconds: 3 * 24 * 3600 });
    const member = await createUser(service, 'Member');
    const tooNew =
      'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.';
    expectRefusal(await tryInvite(member, { invitee_emails: newAddress() }), tooNew, failed());
    await invite(service.owner);
    service.advance(3 * DAY_MS + 1000);
    await invite(member);
  });

  test('Fail like confirmations if the operator has removed the sender of mails', async () => {
    const service = await startTestService();
    const { owner } = service;
    const { id } = await invite(owner);
    await owner.patch('/realm', { invite_required: false });
    Object.assign(service.services.config, { mailSender: undefined });
    for (const reply of [
      await tryInvite(owner, { invitee_emails: newAddress() }),
      await resend(owner, id),
      await tryConfirm(service, { email: newAddress() }),
    ])
      expectRefusal(reply, 'This service is not set up to send e-mail.');
    await makeLink(owner);
  });
});
