import { afterAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createGroup, deactivate, succeeds } from './group-calls.ts';

const service = await startTestService();
const [ada, bo, cy, gone] = await createUsers(service, 'Ada', 'Bo', 'Cy', 'Gone');
const guest = await createUser(service, 'Guest', 600);
const below = await createGroup(ada, [cy], { subgroups: [2] });
const groupId = await createGroup(ada, [bo, gone], { subgroups: [below] });
await service.deactivate(gone);
afterAll(() => service.stop());

const isMember = async (id: number, userId: number, params = {}): Promise<boolean> =>
  (await ada.get(`/user_groups/${id}/members/${userId}`, params)).body.is_user_group_member;
const direct = { direct_member_only: true };

describe('A user belongs to a group', () => {
  test('Directly, or through a subgroup unless only direct members count', async () => {
    const who = [ada, bo, cy, guest, service.owner].map(({ userId }) => userId);
    const request = (params = {}) => Promise.all(who.map((userId) => isMember(groupId, userId, params)));
    expect(await request()).toEqual([false, true, true, false, true]);
    expect(await request(direct)).toEqual([false, true, false, false, false]);
  });

  test('By their role if it is a system group', async () => {
    expect(await isMember(2, service.owner.userId)).toBe(true);
    expect(await isMember(4, service.owner.userId)).toBe(true);
    expect(await isMember(4, service.owner.userId, direct)).toBe(false);
    expect(await isMember(5, ada.userId)).toBe(true);
    expect(await isMember(6, ada.userId, direct)).toBe(true);
    expect(await isMember(6, guest.userId)).toBe(false);
    expect(await isMember(7, guest.userId, direct)).toBe(true);
    expect(await isMember(8, guest.userId)).toBe(true);
    expect(await isMember(1, service.owner.userId)).toBe(false);
  });

  test('Only while their account is active', async () => {
    expect(await isMember(groupId, gone.userId)).toBe(false);
    expect(await isMember(6, gone.userId)).toBe(false);
  });

  test('As before if the group is deactivated', async () => {
    const old = await createGroup(ada, [bo]);
    succeeds(await deactivate(ada, old));
    expect([await isMember(old, bo.userId), await isMember(old, cy.userId)]).toEqual([true, false]);
  });
});

describe('The membership is refused', () => {
  test.each([
    ['424242/members/1', 'Invalid user group'],
    ['2/members/424242', 'No such user'],
    ['2/members/x', 'user_id is not valid JSON'],
    ['x/members/2', 'user_group_id is not valid JSON'],
  ])('At %s', async (path, message) => {
    expectRefusal(await ada.get(`/user_groups/${path}`), message);
  });

  test('For guests', async () => {
    expectRefusal(await guest.get(`/user_groups/2/members/${bo.userId}`), 'Must be an organization member', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });
});
