import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createGroup, edit, groupName, groupsSeenBy, unknownGroup } from './groups.ts';

const service = await startTestService();
const admin = await createUser(service, 'Admin', roles.administrator);
const [ada] = await createUsers(service, 'Ada');

describe('Editing a default channel group', () => {
  test('Changes its name and description', async () => {
    const group = await createGroup(admin, []);
    const name = groupName();
    await expectConsistentSnapshot(service, [admin, ada], async () => {
      const { status, body } = await edit(admin, group.id, {
        new_group_name: name,
        new_description: 'Another one',
      });
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    });
    expect(await groupsSeenBy(ada)).toContainEqual({ ...group, name, description: 'Another one' });
    await expectConsistentSnapshot(service, [ada], () => edit(admin, group.id, { new_description: '' }));
    expect(await groupsSeenBy(ada)).toContainEqual({ ...group, name, description: '' });
  });

  test('Sends no event if the description is the same', async () => {
    const { id, description } = await createGroup(admin, []);
    const queue = await ada.listen();
    expect((await edit(admin, id, { new_description: description })).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });
});

describe('Editing a default channel group is refused for', () => {
  test('A name that the group or another one has, or that is invalid', async () => {
    const [one, other] = [await createGroup(admin, []), await createGroup(admin, [])];
    const rename = (new_group_name: string) => edit(admin, one.id, { new_group_name });
    expectRefusal(await rename(one.name), `This default channel group is already named '${one.name}'`);
    expectRefusal(await rename(other.name), `Default channel group '${other.name}' already exists`);
    expectRefusal(await rename(' '), "Invalid default channel group name ''");
    expectRefusal(await rename('x'.repeat(61)), 'Default channel group name too long (limit: 60 characters)');
    expect(await groupsSeenBy(ada)).toContainEqual(one);
  });

  test('A request without changes', async () => {
    const { id } = await createGroup(admin, []);
    expectRefusal(await edit(admin, id, {}), 'You must pass "new_description" or "new_group_name".');
  });

  test('A group that does not exist', async () => {
    expectRefusal(await edit(admin, 9_999, { new_description: 'x' }), unknownGroup(9_999));
  });
});
