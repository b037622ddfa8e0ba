import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { createGroup, deactivate, succeeds } from './group-calls.ts';

let service: TestService;
let [ada, bo, cy]: Client[] = [];
let moderator: Client;
let guest: Client;
let groupId: number;
beforeAll(async () => {
  service = await startTestService();
  [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
  moderator = await createUser(service, 'Moderator', 300);
  guest = await createUser(service, 'Guest', 600);
  const below = await createGroup(ada as Client, [cy as Client, bo as Client], { subgroups: [4] });
  groupId = await createGroup(ada as Client, [guest, bo as Client], { subgroups: [below] });
});
afterAll(() => service.stop());

const idsOf = (...clients: (Client | undefined)[]): number[] =>
  clients.map((client) => client?.userId ?? 0).sort((a, b) => a - b);
const members = async (id: number | string, params = {}) =>
  (await (ada as Client).get(`/user_groups/${id}/members`, params)).body.members;

describe('The members of a group', () => {
  test('Include its own members and the members of all subgroups, each once', async () => {
    expect(await members(groupId)).toEqual(idsOf(bo, cy, guest, moderator, service.owner));
    expect(await members(groupId, { direct_member_only: true })).toEqual(idsOf(bo, guest));
  });

  test('Follow from roles in system groups', async () => {
    expect(await members(1)).toEqual([]);
    expect(await members(4)).toEqual(idsOf(moderator, service.owner));
    expect(await members(4, { direct_member_only: true })).toEqual(idsOf(moderator));
    expect(await members(6)).toEqual(idsOf(ada, bo, cy, moderator, service.owner));
    expect(await members(7)).toEqual(idsOf(ada, bo, cy, moderator, service.owner, guest));
    expect(await members(8, { direct_member_only: true })).toEqual([]);
  });

  test('Stay known in a deactivated group', async () => {
    const gone = await createGroup(ada as Client, [bo as Client]);
    succeeds(await deactivate(ada as Client, gone));
    expect(await members(gone)).toEqual(idsOf(bo));
  });
});

describe('Listing members is refused', () => {
  test.each([
    ['424242', 'Invalid user group'],
    ['0', 'Invalid user group'],
    ['x', 'user_group_id is not valid JSON'],
  ])('For group %s', async (id, message) => {
    for (const direct_member_only of [true, false])
      expectRefusal(await (ada as Client).get(`/user_groups/${id}/members`, { direct_member_only }), message);
  });

  test('For guests', async () => {
    expectRefusal(await guest.get(`/user_groups/${groupId}/members`), 'Must be an organization member', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });
});
