import { describe, expect, test } from 'vitest';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf as measure } from '#tests/harness/units.ts';
import { createPeople } from '../channels/people.ts';
import { change, create, createGroup, deactivate, edit, newName, succeeds } from './group-calls.ts';
import { membersOf } from './group-records.ts';

const MANY = 5_000;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

let userIds: number[];

async function unitsOf(work: () => Promise<unknown>): Promise<{ read: number; write: number }> {
  await service.settle();
  const { read, write } = await measure(service, work);
  return { read: Math.ceil(read), write: Math.ceil(write) };
}

describe('The capacity of group operations', () => {
  test('In a small organization', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    const groupId = await createGroup(cy, [di]);
    const below = await createGroup(cy);
    const spent: Record<string, { read: number; write: number }> = {
      create: await unitsOf(() => create(cy, { members: [di.userId] })),
      rename: await unitsOf(() => edit(cy, groupId, { name: newName() })),
      set: await unitsOf(() => edit(cy, groupId, { can_join_group: { new: 6 } })),
      add: await unitsOf(() => change(cy, groupId, { add: [cy.userId] })),
      remove: await unitsOf(() => change(cy, groupId, { delete: [cy.userId] })),
      addSubgroup: await unitsOf(() => change(cy, groupId, { add_subgroups: [below] })),
      members: await unitsOf(() => membersOf(cy, groupId)),
      deactivate: await unitsOf(() => deactivate(cy, groupId)),
    };
    const dear = Object.entries(spent).filter(([, { read, write }]) => read > 10 || write > 15);
    expect(dear).toEqual([]);
    expect(spent.members?.write).toBe(0);
  });

  test(`With ${MANY} members`, async () => {
    userIds = await createPeople(service, MANY, { signIn: false });
    const groupId = await createGroup(ada);
    const add = async (ids: number[]) => succeeds(await change(ada, groupId, { add: ids }));
    const filling = await unitsOf(() => add(userIds));
    const addition = await unitsOf(() => add([ada.userId]));
    expect(filling.write).toBeLessThanOrEqual(100);
    expect(addition.write).toBeLessThanOrEqual(12);
    expect(addition.read).toBeLessThanOrEqual(12);
  });
});

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
