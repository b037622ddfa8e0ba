import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { invite, listFor, makeLink } from './invitation-calls.ts';

const service = await startTestService();
const owner = service.owner;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');
const other = await createUser(service, 'Other');

const idsFor = async (client: Client): Promise<number[]> => (await listFor(client)).map(({ id }) => id);

describe('The list of invitations', () => {
  test('Has all for administrators, and their own for others, the oldest first', async () => {
    const [first, second, link] = [await invite(member), await invite(other), await makeLink(admin)];
    expect(await idsFor(owner)).toEqual([first.id, second.id, link.id]);
    expect(await idsFor(admin)).toEqual([first.id, second.id, link.id]);
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
    const queues = await Promise.all([owner, member, other].map((one) => one.listen()));
    service.advance(61_000);
    expect(await idsFor(member)).not.toContain(short.id);
    expect(await idsFor(admin)).not.toContain(link.id);
    expect(await idsFor(member)).toContain(long.id);
    await sweep(service.services);
    await sweep(service.services);
    const heard = await Promise.all(
      queues.map(async (queue) => (await queue.drain()).map(({ type }) => type)),
    );
    expect(heard).toEqual([['invites_changed'], ['invites_changed'], []]);
    expectRefusal(await member.post(`/invites/${short.id}/resend`), 'No such invitation');
  });

  test('Cannot be sent again, revoked or used even before the sweep', async () => {
    const [short, link] = [
      await invite(member, { invite_expires_in_minutes: 1 }),
      await makeLink(admin, { invite_expires_in_minutes: 1 }),
    ];
    service.advance(60_000);
    expectRefusal(await member.post(`/invites/${short.id}/resend`), 'No such invitation');
    expectRefusal(await member.delete(`/invites/${short.id}`), 'No such invitation');
    expectRefusal(await admin.delete(`/invites/multiuse/${link.id}`), 'No such invitation');
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
  expect(await queue.drain()).toMatchObject([{ type: 'invites_changed' }]);
  const left = await idsFor(owner);
  expect(left).toContain(stays.id);
  expect(left).not.toContain(mailed.id);
  expect(left).not.toContain(link.id);
});
