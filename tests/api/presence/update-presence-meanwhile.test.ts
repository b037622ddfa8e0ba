import { afterAll, expect, test } from 'vitest';
import { presenceChunkOf } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { interrupt, reads, writes } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { ping, presenceOf, report, slimPresences } from './presences.ts';

const service = await startTestService();
const ada = service.owner;
afterAll(() => service.stop());

test('A report is refused if its user is deactivated meanwhile, and stores no presence', async () => {
  const user = await createUser(service, 'Cy');
  const chunk = userKeys.presences(presenceChunkOf(user.userId));
  for (const calls of [{ find: reads(chunk) }, { transact: writes(chunk) }]) {
    interrupt(service, calls, () => service.deactivate(user));
    expectRefusal(await report(user), 'Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' });
    expect(await slimPresences(ada)).not.toHaveProperty(String(user.userId));
    await service.owner.post(`/users/${user.userId}/reactivate`);
    await service.renewKey(user);
  }
});

test('Reports of two clients at once count as the later one', async () => {
  const user = await createUser(service, 'Cy');
  await ping(user, { status: 'idle' });
  service.advance(60_000);
  const chunk = userKeys.presences(presenceChunkOf(user.userId));
  const other = interrupt(service, { write: writes(chunk) }, () => ping(user));
  await ping(user, { status: 'idle' });
  expect(other.hasHappened()).toBe(true);
  const { presence } = (await presenceOf(ada, user.userId)).body;
  expect(presence.active_timestamp).toBe(presence.idle_timestamp);
});
