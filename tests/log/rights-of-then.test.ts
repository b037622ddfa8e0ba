import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { EventQueue } from '#tests/harness/client.ts';
import { takePosition } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const MEMBERS = 6;
const EVERYONE = 7;

/** The events up to a hole, with an entry after it that changes the rights of the reader. */
async function readUpToHole(
  queue: EventQueue,
  happens: () => Promise<unknown>,
  changesRights: () => Promise<unknown>,
): Promise<string[]> {
  await happens();
  await takePosition(service.services);
  await changesRights();
  const { body } = await queue.poll({ dont_block: true });
  return body.events.map(({ type }: { type: string }) => type);
}

const invite = () => service.owner.post('/invites/multiuse');
const giveRole = (userId: number, role: number) => service.owner.patch(`/users/${userId}`, { role });
const letGuestsSee = (group: number) =>
  service.owner.patch('/realm', { can_access_all_users_group: { new: group } });

describe('The recipients of an event are decided by the state at its time, although it changed before the read', () => {
  test('A later administrator does not get administrators’ events', async () => {
    const member = await service.createUser('Member');
    const queue = await member.listen();
    const types = await readUpToHole(queue, invite, () => giveRole(member.userId, roles.administrator));
    expect(types).not.toContain('invites_changed');
    await invite();
    service.advance(2_000);
    expect((await queue.drain()).map(({ type }) => type)).toContain('invites_changed');
  });

  test('A former administrator gets administrators’ events of the earlier time', async () => {
    const administrator = await service.createUser('Deputy', roles.administrator);
    const queue = await administrator.listen();
    const types = await readUpToHole(queue, invite, async () => {
      await giveRole(administrator.userId, roles.member);
      await giveRole(administrator.userId, roles.moderator);
    });
    expect(types).toContain('invites_changed');
  });

  test('A guest who saw every user gets their events, although guests see only some people now', async () => {
    const guest = await service.createUser('Guest', roles.guest);
    const queue = await guest.listen();
    const types = await readUpToHole(
      queue,
      () => service.owner.post('/users/me/status', { status_text: 'here' }),
      () => letGuestsSee(MEMBERS),
    );
    expect(types).toContain('user_status');
  });

  test('A guest who saw only some people does not get others’ events, although guests see everyone now', async () => {
    const guest = await service.createUser('Visitor', roles.guest);
    await letGuestsSee(MEMBERS);
    const queue = await guest.listen();
    const types = await readUpToHole(
      queue,
      () => service.owner.post('/users/me/status', { status_text: 'there' }),
      () => letGuestsSee(EVERYONE),
    );
    expect(types).not.toContain('user_status');
  });

  test('A user who joins after guests are limited is not removed from their view before', async () => {
    const guest = await service.createUser('Onlooker', roles.guest);
    const queue = await guest.listen();
    await letGuestsSee(MEMBERS);
    const newcomer = await service.createUser('Newcomer');
    const events = await queue.drain();
    const removed = events.filter(({ type, op }) => type === 'realm_user' && op === 'remove');
    expect(removed.map(({ person }) => person.user_id)).not.toContain(newcomer.userId);
    expect(removed.length).toBeGreaterThan(0);
  });
});
