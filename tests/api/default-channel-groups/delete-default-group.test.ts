import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createGroup, groupsSeenBy, remove, unknownGroup } from './groups.ts';

const service = await startTestService();
const admin = await createUser(service, 'Admin', roles.administrator);
const [ada] = await createUsers(service, 'Ada');

test('A deleted group disappears, its channels stay, and its id is never used again', async () => {
  const { name, channelId } = await createChannel(service, [ada]);
  const [gone, other] = [await createGroup(admin, [name]), await createGroup(admin, [name])];
  await expectConsistentSnapshot(service, [admin, ada], async () => {
    const { status, body } = await remove(admin, gone.id);
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  });
  expect(await groupsSeenBy(ada)).toEqual([other]);
  expect((await ada.get(`/streams/${channelId}`)).status).toBe(200);
  await remove(admin, other.id);
  expect((await createGroup(admin, [])).id).toBeGreaterThan(other.id);
});

describe('Deleting a default channel group is refused for', () => {
  test('A group that does not exist, or was deleted', async () => {
    const { id } = await createGroup(admin, []);
    await remove(admin, id);
    for (const missing of [id, 9_999]) expectRefusal(await remove(admin, missing), unknownGroup(missing));
  });
});
