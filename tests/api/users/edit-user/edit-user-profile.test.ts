import { beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let service: TestService;
let owner: Client;
let administrator: Client;
let member: Client;
let guest: Client;
let textField: number;
let userField: number;
beforeAll(async () => {
  service = await startTestService({}, { ownerMayChangeEmails: true });
  ({ owner } = service);
  administrator = await createUser(service, 'Administrator', roles.administrator);
  member = await createUser(service, 'Member');
  guest = await createUser(service, 'Guest', roles.guest);
  textField = await fieldOf({ name: 'Motto', field_type: 1, editable_by_user: false });
  userField = await fieldOf({ name: 'Mentors', field_type: 6 });
});

const fieldOf = async (params: Params): Promise<number> =>
  (await owner.post('/realm/profile_fields', params)).body.id;
const edit = (by: Client, { userId }: Client, params: Params) => by.patch(`/users/${userId}`, params);
const profileOf = async ({ userId }: Client) => {
  const params = { include_custom_profile_fields: true };
  return (await guest.get(`/users/${userId}`, params)).body.user.profile_data;
};

describe('profile_data', () => {
  test('Sends an event to every user for each field', proves('edit-user.11', 'edit-user.12'), async () => {
    const profile_data = [
      { id: textField, value: 'Onward' },
      { id: userField, value: [administrator.userId] },
    ];
    await expectConsistentSnapshot(service, [owner, administrator, member, guest], async () => {
      expect((await edit(administrator, member, { profile_data })).status).toBe(200);
    });
    expect((await profileOf(member))[textField].value).toBe('Onward');
  });

  test('Removes a value by null, an empty text and an empty list', proves('edit-user.12'), async () => {
    for (const value of [null, '', []]) {
      await edit(administrator, member, { profile_data: [{ id: userField, value: [guest.userId] }] });
      expect(await profileOf(member)).toHaveProperty(String(userField));
      await expectConsistentSnapshot(service, [member, guest], () =>
        edit(administrator, member, { profile_data: [{ id: userField, value }] }),
      );
      expect(await profileOf(member)).not.toHaveProperty(String(userField));
    }
  });

  test('Changes together with name, role and address, or not at all', async () => {
    const one = await createUser(service, 'Whole');
    const profile_data = [{ id: textField, value: 'All of it' }];
    const all = { full_name: 'All Of It', role: roles.moderator, new_email: 'all@example.org', profile_data };
    await expectConsistentSnapshot(service, [owner, administrator, guest], async () => {
      expect((await edit(owner, one, all)).status).toBe(200);
    });
    expect((await profileOf(one))[textField].value).toBe('All of it');
    const before = (await owner.get(`/users/${one.userId}`)).body.user;
    const wrong = { full_name: 'Not This', profile_data: [{ id: 999, value: 'x' }] };
    expectRefusal(await edit(owner, one, wrong), 'Field id 999 not found.');
    expect((await owner.get(`/users/${one.userId}`)).body.user).toEqual(before);
  });
});
