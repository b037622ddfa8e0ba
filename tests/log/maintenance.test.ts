import { afterAll, beforeAll, expect, test } from 'vitest';
import { commit } from '#shared/log/commit.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { blockOf, lastOfBlock } from '#shared/table/keys.ts';
import type { Client } from '#tests/harness/client.ts';
import { eventFor, messageFor, moveLogTo, withCalls } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let ada: Client;
beforeAll(async () => {
  service = await startTestService();
  ada = await createUser(service, 'Ada');
});
afterAll(() => service.stop());

test('a sweep that dies while it derives from the last message of a block leaves it to the next sweep', async () => {
  const { services } = service;
  const last = lastOfBlock(blockOf(await readCounter(services.table)));
  await moveLogTo(services, last - 1);
  await maintainLog(services);
  // As if its sender had died between the message and what follows from it.
  expect(await commit(services, await messageFor(services, ada.userId, 'psst'))).toBe(last);
  const dying = withCalls(services, () => ({
    findMany: async () => {
      throw new Error('The sweep died');
    },
  }));
  await expect(maintainLog(dying)).rejects.toThrow('The sweep died');
  await commit(services, eventFor(ada.userId, 1));
  await maintainLog(services);
  // Without what is unread, which would be looked for further back in the log.
  const { snapshot } = await ada.register({ fetch_event_types: ['recent_private_conversations'] });
  const conversations = snapshot.recent_private_conversations;
  expect(conversations).toContainEqual(expect.objectContaining({ max_message_id: last }));
});
