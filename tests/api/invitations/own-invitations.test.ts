// The operations listInvitations, resendInvitation and revokeInvitation.
import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { roles } from '#shared/domain/users/user.ts';
import { INVALID, tryJoin } from '#tests/api/joining/joining-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { keyMailedTo, mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import {
  expectChanges,
  idsFor,
  invitationTo,
  invite,
  makeLink,
  resend,
  revoke,
  revokeLink,
} from './invitation-calls.ts';

const service = await startTestService();
const { owner } = service;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');

const listeners = (...clients: Client[]) => listenAll(clients);
const NONE = 'No such invitation';
const OWNER_ONLY = ['Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;

describe('The list of invitations', () => {
  test('Has all for administrators, and their own for others, the oldest first', async () => {
    const [first, second, link] = [await invite(member), await invite(other), await makeLink(admin)];
    for (const client of [owner, admin]) expect(await idsFor(client)).toEqual([first.id, second.id, link.id]);
    expect(await idsFor(member)).toEqual([first.id]);
    expect(await idsFor(other)).toEqual([second.id]);
  });

  test('Hides links that invite owners from administrators', async () => {
    const link = await makeLink(owner, { invite_as: roles.owner });
    const mailed = await invite(owner, { invite_as: roles.owner });
    expect(await idsFor(owner)).toEqual(expect.arrayContaining([link.id, mailed.id]));
    const seen = await idsFor(admin);
    expect(seen).toContain(mailed.id);
    expect(seen).not.toContain(link.id);
  });
});

describe('An expired invitation', () => {
  test('Disappears from the list, and the next sweep notifies its viewers once', async () => {
    const short = await invite(member, { invite_expires_in_minutes: 1 });
    const link = await makeLink(admin, { invite_expires_in_minutes: 1 });
    const long = await invite(member, { invite_expires_in_minutes: 30 });
    const queues = await listeners(owner, member, other);
    service.advance(61_000);
    expect(await idsFor(member)).not.toContain(short.id);
    expect(await idsFor(admin)).not.toContain(link.id);
    expect(await idsFor(member)).toContain(long.id);
    for (let n = 0; n < 2; n++) await sweep(service.services);
    await expectChanges(queues, [1, 1, 0]);
    expectRefusal(await resend(member, short.id), NONE);
  });

  test('Cannot be sent again, revoked or used even before the sweep', async () => {
    const short = await invite(member, { invite_expires_in_minutes: 1 });
    const link = await makeLink(admin, { invite_expires_in_minutes: 1 });
    service.advance(60_000);
    expectRefusal(await resend(member, short.id), NONE);
    expectRefusal(await revoke(member, short.id), NONE);
    expectRefusal(await revokeLink(admin, link.id), NONE);
  });

  test('Ends even if many others end with it', async () => {
    const { body } = await member.get('/invites');
    const emails = Array.from({ length: 70 }, (_, n) => `ending${n}@example.com`).join(',');
    await member.post('/invites', { invitee_emails: emails, stream_ids: [], invite_expires_in_minutes: 1 });
    service.advance(61_000);
    const queue = await owner.listen();
    await sweep(service.services);
    expect(await queue.drain()).toHaveLength(3);
    expect((await member.get('/invites')).body).toEqual(body);
  });
});

test('The invitations of a deactivated user end, which notifies administrators', async () => {
  const leaver = await createUser(service, 'Leaver', roles.administrator);
  const [mailed, link] = [await invite(leaver), await makeLink(leaver)];
  const stays = await invite(member);
  const queue = await owner.listen({ event_types: ['invites_changed'] });
  await service.deactivate(leaver);
  await expectChanges([queue], [1]);
  const remaining = await idsFor(owner);
  expect(remaining).toContain(stays.id);
  for (const { id } of [mailed, link]) expect(remaining).not.toContain(id);
});

describe('Sending an invitation again', () => {
  const repetition = proves('resend-invitation.1', 'resend-invitation.2', 'resend-invitation.3');
  test('Mails it again with the same link and changes nothing', repetition, async () => {
    const { id, email } = await invite(member, { invite_expires_in_minutes: 30 });
    await service.settle();
    const before = [keyMailedTo(service, email), await invitationTo(member, email)];
    const queues = await listeners(owner, member);
    service.advance(60_000);
    expect((await resend(member, id)).status).toBe(200);
    await service.settle();
    expect(mailsTo(service, email)).toHaveLength(2);
    expect([keyMailedTo(service, email), await invitationTo(member, email)]).toEqual(before);
    await expectChanges(queues, [0, 0]);
  });

  test('Works for every administrator and owner', proves('resend-invitation.4'), async () => {
    const { id, email } = await invite(member);
    for (const client of [admin, owner]) await resend(client, id);
    await service.settle();
    expect(mailsTo(service, email)).toHaveLength(3);
  });

  test('Fails for other members', proves('resend-invitation.5'), async () => {
    const { id, email } = await invite(member);
    expectRefusal(await resend(other, id), NONE);
    await service.settle();
    expect(mailsTo(service, email)).toHaveLength(1);
  });

  test('Requires an owner if the inviter was one', proves('resend-invitation.5'), async () => {
    const formerly = await createUser(service, 'Formerly', roles.owner);
    const { id } = await invite(formerly, { invite_as: roles.owner });
    // Before the job that revokes it has run.
    const release = holdJobs(service);
    await service.setRole(formerly.email, roles.administrator);
    for (const client of [admin, formerly]) expectRefusal(await resend(client, id), ...OWNER_ONLY);
    expect((await resend(owner, id)).status).toBe(200);
    await release();
  });

  test('Fails for links, and for revoked invitations', proves('resend-invitation.6'), async () => {
    const { id } = await invite(member);
    await revoke(member, id);
    expectRefusal(await resend(member, id), NONE);
    expectRefusal(await resend(owner, (await makeLink(owner)).id), NONE);
  });
});

const guest = await createUser(service, 'Guest', roles.guest);

describe('Revoking an invitation', () => {
  test('Closes its link, and removes it from the list', async () => {
    const { id, email } = await invite(member);
    await service.settle();
    const key = keyMailedTo(service, email);
    expect((await revoke(member, id)).status).toBe(200);
    expect(await invitationTo(member, email)).toBeUndefined();
    expectRefusal(await tryJoin(service, { key }), INVALID);
  });

  test('Notifies administrators and its inviter, and no other user', async () => {
    const { id } = await invite(member);
    const queues = await listeners(owner, admin, member, other, guest);
    await revoke(admin, id);
    await expectChanges(queues, [1, 1, 1, 0, 0]);
  });

  test('Works for its inviter and for every administrator, and not for other members', async () => {
    for (const client of [member, admin, owner]) {
      const { id, email } = await invite(member);
      expectRefusal(await revoke(other, id), NONE);
      expect(await invitationTo(member, email)).toBeDefined();
      await revoke(client, id);
      expect(await invitationTo(member, email)).toBeUndefined();
    }
  });

  test('Requires an owner for invitations of owners', async () => {
    const { id } = await invite(owner, { invite_as: roles.owner });
    expectRefusal(await revoke(admin, id), ...OWNER_ONLY);
    expect((await revoke(owner, id)).status).toBe(200);
  });

  test('Fails for an unknown id, an invitation that is gone, and a link', async () => {
    const { id } = await invite(member);
    await revoke(member, id);
    for (const missing of [0, 999_999, id, (await makeLink(owner)).id])
      expectRefusal(await revoke(owner, missing), NONE);
  });
});

test('Open invitations end if their inviter returns before the job that revokes them runs', async () => {
  const inviter = await createUser(service, 'Inviter');
  const old = await invite(inviter);
  const release = holdJobs(service);
  await owner.delete(`/users/${inviter.userId}`);
  await owner.post(`/users/${inviter.userId}/reactivate`);
  await service.renewKey(inviter);
  const fresh = await invite(inviter);
  await release();
  await service.settle();
  expect(await invitationTo(owner, old.email)).toBeUndefined();
  expect(await invitationTo(owner, fresh.email)).toBeDefined();
});
