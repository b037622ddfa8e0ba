import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { keyMailedTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { invitationTo, invite, makeLink } from './invitation-calls.ts';

const service = await startTestService();
const owner = service.owner;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');
const guest = await createUser(service, 'Guest', roles.guest);

const revoke = (client: Client, id: number | string) => client.delete(`/invites/${id}`);

describe('Revoking an invitation', () => {
  test('Closes its link, and removes it from the list', async () => {
    const { id, email } = await invite(member);
    await service.settle();
    const key = keyMailedTo(service, email);
    expect((await revoke(member, id)).status).toBe(200);
    expect(await invitationTo(member, email)).toBeUndefined();
    const reply = await sendForm(service.url, '/join', { key, full_name: 'Late', password: PASSWORD });
    expectRefusal(
      reply,
      'This invitation is not valid: it has been used, has ended or was taken back, or there never was one.',
    );
  });

  test('Notifies administrators and its inviter, and no other user', async () => {
    const { id } = await invite(member);
    const queues = await Promise.all([owner, admin, member, other, guest].map((one) => one.listen()));
    await revoke(admin, id);
    const heard = await Promise.all(
      queues.map(async (queue) => (await queue.drain()).map(({ type }) => type)),
    );
    expect(heard).toEqual([['invites_changed'], ['invites_changed'], ['invites_changed'], [], []]);
  });
});

describe('The right to revoke an invitation', () => {
  test('Belongs to its inviter and to every administrator', async () => {
    for (const client of [member, admin, owner]) {
      const { id, email } = await invite(member);
      await revoke(client, id);
      expect(await invitationTo(member, email)).toBeUndefined();
    }
  });

  test('Does not belong to other members', async () => {
    const { id, email } = await invite(member);
    expectRefusal(await revoke(other, id), 'No such invitation');
    expect(await invitationTo(member, email)).toBeDefined();
  });

  test('Requires an owner for invitations of owners', async () => {
    const { id } = await invite(owner, { invite_as: roles.owner });
    expectRefusal(await revoke(admin, id), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await revoke(owner, id)).status).toBe(200);
  });
});

test('Revoking fails for an unknown id, an invitation that is gone, and a link', async () => {
  const { id } = await invite(member);
  await revoke(member, id);
  for (const none of [0, 999_999, id, (await makeLink(owner)).id])
    expectRefusal(await revoke(owner, none), 'No such invitation');
});

describe('The open invitations of a deactivated account', () => {
  const deactivate = (one: Client) => owner.delete(`/users/${one.userId}`);
  const reactivate = (one: Client) => owner.post(`/users/${one.userId}/reactivate`);
  let inviter: Client;
  beforeEach(async () => {
    inviter = await createUser(service, 'Inviter');
    await service.settle();
  });

  test('Get revoked if the account returns before the job runs, but later ones do not', async () => {
    const old = await invite(inviter);
    const handOver = holdJobs(service);
    await deactivate(inviter);
    await reactivate(inviter);
    await service.renewKey(inviter);
    const fresh = await invite(inviter);
    await handOver();
    await service.settle();
    expect(await invitationTo(owner, old.email)).toBeUndefined();
    expect(await invitationTo(owner, fresh.email)).toBeDefined();
  });
});
