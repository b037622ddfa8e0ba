import { beforeEach, expect, test } from 'vitest';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { commit } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import { wakeNotifier } from '#shared/log/wake.ts';
import type { Relay } from '#shared/runtime/relay.ts';
import { takeSnapshot } from '#shared/snapshot/snapshot.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { findMessage } from '#shared/store/messages/messages.ts';
import { getUser } from '#shared/store/users/users.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { messageFor, moveLogTo, withCalls } from '#tests/harness/log.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { services } = service;
const ada = await service.createUser('Ada');
beforeEach(() => takeLogged());

const broken = async (): Promise<never> => {
  throw new Error('Broken');
};
const warnings = () => takeLogged().filter(({ level }) => level === 'warn');
const warning = (message: string) => [{ level: 'warn', message, failure: 'Error', reason: 'Broken' }];

test('A job whose notice cannot be published waits for the sweep, and the failure is logged', async () => {
  const bus = { ...services.bus, publish: broken };
  const job = { type: 'forget-drafts' as const, payload: { userId: ada.userId, generation: 0 }, steps: [0] };
  await commit({ ...services, bus }, { jobs: [job] });
  expect(warnings()).toMatchObject(warning('Jobs could not be published; the sweep will'));
});

test('A message is sent although the notification worker cannot be woken, and the failure is logged', async () => {
  const bus = { ...services.bus, wakeNotifier: broken };
  const { message } = await messageFor(services, ada.userId, 'hello');
  const { table } = withCalls(services, (inner) => ({
    find: async (key, options) =>
      key.pk === userKeys.notifier().pk ? { activeDevices: 1 } : inner.find(key, options),
  }));
  await wakeNotifier({ ...services, table, bus, relay: {} as Relay }, { message: message! }, 1);
  expect(warnings()).toMatchObject(warning('The notifier could not be woken; the sweep will'));
});

test('A message is sent although its conversation cannot be stored, and the failure is logged', async () => {
  const { message } = await messageFor(services, ada.userId, 'unnoted');
  const failing = withCalls(services, (table) => ({
    write: (write) =>
      write.kind === 'update' && write.set && 'maxMessageId' in write.set ? broken() : table.write(write),
  }));
  const id = await commitMessage(failing, { message: message! });
  expect(await findMessage(services.table, id)).toMatchObject({ content: 'unnoted' });
  expect(warnings()).toMatchObject(warning('Data derived from a message could not be written'));
});

test('A reader of everything gets a snapshot although that cannot be stored, and the failure is logged', async () => {
  await moveLogTo(services, (await readCounter(services.table)) + 2_000);
  await ada.post('/mark_all_as_read');
  await moveLogTo(services, (await readCounter(services.table)) + 2_000);
  const failing = withCalls(services, (table) => ({
    write: (write) =>
      write.kind === 'update' && write.set && 'floor' in write.set ? broken() : table.write(write),
  }));
  const filter = { eventTypes: null, narrow: [], capabilities: [] } as unknown as QueueFilter;
  const { fields } = await takeSnapshot(failing, {
    caller: await getUser(services.table, ada.userId),
    filter,
    fetchTypes: ['message', 'update_message_flags'],
    includeSubscribers: 'false',
    presenceHistoryDays: 0,
  });
  expect(fields.unread_msgs).toMatchObject({ count: 0 });
  expect(warnings()).toMatchObject(warning('A read floor could not be raised'));
});
