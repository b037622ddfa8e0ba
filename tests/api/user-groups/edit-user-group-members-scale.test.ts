import { describe, expect, test } from 'vitest';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createPeople } from '../channels/people.ts';
import { change, createGroup, membersOf, succeeds } from './group-calls.ts';

const MANY = 2_000;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const userIds = await createPeople(service, MANY, { signIn: false });

describe(`A group of ${MANY} members`, () => {
  test('Can be filled and emptied in one call, with its private channel and events to every user', async () => {
    const groupId = await createGroup(ada);
    const shown = await createGroup(ada);
    await createChannel(service, [ada], { invite_only: true, can_subscribe_group: shown });
    await expectConsistentSnapshot(service, [service.owner, bo], async () => {
      succeeds(await change(ada, groupId, { add: userIds }));
      expect(await membersOf(ada, groupId)).toEqual(userIds);
      const half = userIds.filter((id) => id % 2 === 0);
      succeeds(await change(ada, groupId, { delete: half, add: [bo.userId] }));
      expect(await membersOf(ada, groupId)).toEqual([bo.userId, ...userIds.filter((id) => id % 2 === 1)]);
      succeeds(await change(ada, shown, { add: [...userIds, bo.userId] }));
    });
  });

  test('Gets no notice of the notification bot', async () => {
    const groupId = await createGroup(ada);
    succeeds(await change(ada, groupId, { add: userIds.slice(0, 101) }));
    const { body } = await service.owner.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 });
    expect(JSON.stringify(body.messages)).not.toContain('added you to the group');
  });
});
