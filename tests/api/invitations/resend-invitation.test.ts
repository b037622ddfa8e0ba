import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { keyMailedTo, mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { invitationTo, invite, makeLink } from './invitation-calls.ts';

const service = await startTestService();
const owner = service.owner;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');

const resend = (client: Client, id: number | string) => client.post(`/invites/${id}/resend`);

describe('Sending an invitation again', () => {
  test(
    'Mails it again with the same link, and returns nothing',
    proves('resend-invitation.1', 'resend-invitation.2', 'resend-invitation.3'),
    async () => {
      const { id, email } = await invite(member);
      await service.settle();
      const key = keyMailedTo(service, email);
      const { status, body } = await resend(member, id);
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
      await service.settle();
      expect(mailsTo(service, email)).toHaveLength(2);
      expect(keyMailedTo(service, email)).toBe(key);
    },
  );

  test('Changes nothing of it, not even its end', async () => {
    const { id, email } = await invite(member, { invite_expires_in_minutes: 30 });
    const before = await invitationTo(member, email);
    service.advance(60_000);
    await resend(member, id);
    expect(await invitationTo(member, email)).toEqual(before);
  });

  test('Notifies no user', async () => {
    const { id } = await invite(member);
    const queues = await Promise.all([owner, member].map((one) => one.listen()));
    await resend(member, id);
    for (const queue of queues) expect(await queue.drain()).toEqual([]);
  });
});

describe('The right to send an invitation again', () => {
  test('Belongs to every administrator and owner', proves('resend-invitation.4'), async () => {
    const { id, email } = await invite(member);
    for (const client of [admin, owner]) await resend(client, id);
    await service.settle();
    expect(mailsTo(service, email)).toHaveLength(3);
  });

  test('Does not belong to other members', proves('resend-invitation.5'), async () => {
    const { id, email } = await invite(member);
    await service.settle();
    expectRefusal(await resend(other, id), 'No such invitation');
    await service.settle();
    expect(mailsTo(service, email)).toHaveLength(1);
  });

  test(
    'Requires an owner for invitations of owners, also if the inviter was an owner',
    proves('resend-invitation.5'),
    async () => {
      const formerly = await createUser(service, 'Formerly', roles.owner);
      const { id } = await invite(formerly, { invite_as: roles.owner });
      // Before the job that revokes it has run.
      const release = holdJobs(service);
      await service.setRole(formerly.email, roles.administrator);
      for (const client of [admin, formerly])
        expectRefusal(await resend(client, id), 'Must be an organization owner', {
          code: 'UNAUTHORIZED_PRINCIPAL',
        });
      expect((await resend(owner, id)).status).toBe(200);
      await release();
    },
  );
});

describe('A missing invitation', () => {
  test('Includes one that was revoked', proves('resend-invitation.6'), async () => {
    const { id } = await invite(member);
    await member.delete(`/invites/${id}`);
    expectRefusal(await resend(member, id), 'No such invitation');
  });

  test('Includes links for many people', proves('resend-invitation.6'), async () => {
    expectRefusal(await resend(owner, (await makeLink(owner)).id), 'No such invitation');
  });
});
