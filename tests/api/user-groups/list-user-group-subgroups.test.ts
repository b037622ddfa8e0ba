import { afterAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createGroup } from './group-calls.ts';

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
const guest = await createUser(service, 'Guest', 600);
afterAll(() => service.stop());

const below = async (groupId: number, params = {}): Promise<number[]> =>
  (await ada.get(`/user_groups/${groupId}/subgroups`, params)).body.subgroups;
const direct = { direct_subgroup_only: true };

describe('The subgroups of a group', () => {
  test('Include all groups below it, or only direct ones on request', async () => {
    const lowest = await createGroup(ada, [], { subgroups: [4] });
    const middle = await createGroup(ada, [], { subgroups: [lowest, 1] });
    const top = await createGroup(ada, [], { subgroups: [middle, lowest] });
    expect(await below(lowest)).toEqual([2, 3, 4]);
    expect(await below(lowest, direct)).toEqual([4]);
    expect(await below(top)).toEqual([1, 2, 3, 4, lowest, middle]);
    expect(await below(top, direct)).toEqual([lowest, middle]);
    expect(await below(await createGroup(ada))).toEqual([]);
  });

  test('Form a chain in system groups', async () => {
    expect(await below(8)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(await below(8, direct)).toEqual([7]);
    expect(await below(2)).toEqual([]);
    expect(await below(1)).toEqual([]);
  });
});

describe('Listing subgroups is refused', () => {
  test.each([
    ['424242', 'Invalid user group'],
    ['-3', 'Invalid user group'],
    ['x', 'user_group_id is not valid JSON'],
  ])('For group %s', async (id, message) => {
    expectRefusal(await ada.get(`/user_groups/${id}/subgroups`), message);
  });

  test('For guests', async () => {
    expectRefusal(await guest.get('/user_groups/2/subgroups'), 'Must be an organization member', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });
});
