import { describe, expect, test } from 'vitest';
import type { Params } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, drainMessages, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { change, createGroup, deactivate, succeeds } from './group-calls.ts';
import { drainGroups, membersOf, recordOf } from './group-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);

const cycleText = (groupId: number): string =>
  `User group ${groupId} is already a subgroup of one of the passed subgroups.`;

describe('Members and subgroups of a group', () => {
  test('Change in one call, and every user gets the events in this order', async () => {
    const [groupId, inner] = [await createGroup(ada, [bo], { subgroups: [3] }), await createGroup(ada)];
    const queue = await guest.listen();
    const request = {
      add: [guest.userId, cy.userId, cy.userId],
      delete: [bo.userId],
      add_subgroups: [inner, 4],
      delete_subgroups: [3],
    };
    succeeds(await change(ada, groupId, request));
    const about = { type: 'user_group', group_id: groupId };
    expect(await drainGroups(queue)).toEqual([
      { ...about, op: 'add_members', user_ids: [cy.userId, guest.userId] },
      { ...about, op: 'remove_members', user_ids: [bo.userId] },
      { ...about, op: 'add_subgroups', direct_subgroup_ids: [4, inner] },
      { ...about, op: 'remove_subgroups', direct_subgroup_ids: [3] },
    ]);
    const members = [cy.userId, guest.userId];
    expect(await recordOf(ada, groupId)).toMatchObject({ members, direct_subgroup_ids: [4, inner] });
  });

  test('Look the same to a client that registers afterwards', async () => {
    const groupId = await createGroup(ada, [bo]);
    await expectConsistentSnapshot(service, [service.owner, bo, guest], async () => {
      succeeds(await change(ada, groupId, { add: [cy.userId, guest.userId], add_subgroups: [4, 2] }));
      succeeds(await change(ada, groupId, { delete: [cy.userId, bo.userId], delete_subgroups: [4] }));
    });
  });

  test('Can be changed in a deactivated group as well', async () => {
    const groupId = await createGroup(ada);
    await deactivate(ada, groupId);
    succeeds(await change(ada, groupId, { add: [bo.userId] }));
    expect(await membersOf(ada, groupId)).toEqual([bo.userId]);
  });

  test('Cannot be deactivated accounts; such members can be removed', async () => {
    const leaver = await createUser(service, 'Leaver');
    const { userId } = leaver;
    const groupId = await createGroup(ada, [bo, leaver]);
    await service.deactivate(leaver);
    expect(await membersOf(ada, groupId)).toEqual([bo.userId]);
    expect((await recordOf(ada, groupId)).members).toEqual([bo.userId]);
    expectRefusal(await change(ada, groupId, { add: [userId] }), `Invalid user ID: ${userId}`);
    succeeds(await change(ada, groupId, { delete: [userId] }));
  });
});

const [below, gone] = [await createGroup(ada), await createGroup(ada)];
await deactivate(ada, gone);
const above = await createGroup(ada, [bo], { subgroups: [below] });

describe('Nothing changes if one of them is refused', () => {
  const NOTHING =
    'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".';
  const numbers = (length: number) => Array.from({ length }, (_, n) => n);
  const add = [cy.userId];
  test.each<[string, Params, string]>([
    ['a member', { add: [cy.userId, bo.userId] }, `User ${bo.userId} is already a member of this group`],
    ['no member', { delete: [bo.userId, cy.userId] }, `There is no member '${cy.userId}' in this user group`],
    ['coming and going', { add, delete: add }, `There is no member '${cy.userId}' in this user group`],
    ['unknown', { add: [cy.userId, 424242] }, 'Invalid user ID: 424242'],
    ['a bot of the service', { add: [cy.userId, 1] }, 'Invalid user ID: 1'],
    ['an unknown group', { add, add_subgroups: [424242] }, 'Invalid user group ID: 424242'],
    ['the whole Internet', { add_subgroups: [8] }, 'Invalid user group ID: 8'],
    ['a deactivated group', { add, add_subgroups: [gone] }, 'User group is deactivated.'],
    ['a subgroup', { add_subgroups: [4, below] }, `User group ${below} is already a subgroup of this group.`],
    ['no subgroup', { add, delete_subgroups: [4] }, 'User group 4 is not a subgroup of this group.'],
    ['the group itself', { add, add_subgroups: [above] }, cycleText(above)],
    ['too many users', { add: numbers(10_001) }, 'Too many users in one request (maximum 10000).'],
    [
      'too many groups',
      { delete_subgroups: numbers(501) },
      'Too many subgroups in one request (maximum 500).',
    ],
    ['nothing at all', {}, NOTHING],
  ])('For %s', async (_what, params, message) => {
    const before = await recordOf(ada, above);
    const queue = await bo.listen();
    expectRefusal(await change(ada, above, params), message);
    expect(await recordOf(ada, above)).toEqual(before);
    expect(await drainGroups(queue)).toEqual([]);
  });
});

describe('Cycles of groups', () => {
  test('Fail with two groups and with fifty', async () => {
    const chain = [await createGroup(ada)];
    for (let n = 1; n < 50; n++)
      chain.push(await createGroup(ada, [], { subgroups: [chain[n - 1] as number] }));
    const [lowest, second] = chain as [number, number];
    const highest = chain.at(-1) as number;
    expectRefusal(await change(ada, lowest, { add_subgroups: [second] }), cycleText(lowest));
    expectRefusal(await change(ada, lowest, { add_subgroups: [4, highest] }), cycleText(lowest));
    succeeds(await change(ada, lowest, { add: [bo.userId] }));
    expect(await membersOf(ada, highest)).toEqual([bo.userId]);
    const { body } = await ada.get(`/user_groups/${highest}/subgroups`);
    expect(body.subgroups).toEqual(chain.slice(0, -1));
  });

  test('Cannot be created by two simultaneous requests', async () => {
    for (let round = 0; round < 5; round++) {
      const [first, second] = [await createGroup(ada), await createGroup(ada)];
      const replies = await Promise.all([
        change(ada, first, { add_subgroups: [second] }),
        change(ada, second, { add_subgroups: [first] }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test('Do not include wide graphs without a cycle: every group names all below it', async () => {
    const all: number[] = [];
    for (let n = 0; n < 24; n++) all.push(await createGroup(ada, [], { subgroups: [...all] }));
    succeeds(await change(ada, all[0] as number, { add: [cy.userId] }));
    expect(await membersOf(ada, all.at(-1) as number)).toEqual([cy.userId]);
  });
});

test('Identical requests at once add a member once', async () => {
  const groupId = await createGroup(ada);
  const queue = await bo.listen();
  const replies = await Promise.all([1, 2, 3].map(() => change(ada, groupId, { add: [cy.userId] })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(await drainGroups(queue)).toHaveLength(1);
});

describe('The notification bot', () => {
  test('Notifies people whom another user added, and no other user', async () => {
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, ada);
    const groupId = await createGroup(ada, [], { name: 'Kiln' });
    const queues = await listenAll([ada, bo, cy, bot]);
    succeeds(await change(ada, groupId, { add: [ada.userId, bo.userId, bot.userId] }));
    await service.settle();
    const content = `@_**Ada|${ada.userId}** added you to the group @_*Kiln*.`;
    const notice = { type: 'private', sender_full_name: 'Notification Bot', content };
    expect(await Promise.all(queues.map(drainMessages))).toMatchObject([[], [notice], [], []]);
  });

  test('Notifies late only people who are still in the group', async () => {
    const groupId = await createGroup(ada);
    const queues = await listenAll([bo, cy]);
    const release = holdJobs(service);
    succeeds(await change(ada, groupId, { add: [bo.userId, cy.userId] }));
    succeeds(await change(ada, groupId, { delete: [bo.userId] }));
    await release();
    const [removed, kept] = await Promise.all(queues.map(drainMessages));
    expect(removed).toEqual([]);
    expect(kept).toHaveLength(1);
  });
});
