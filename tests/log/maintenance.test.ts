import { afterAll, beforeAll, expect, test } from 'vitest';
import { commit } from '#shared/log/commit.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import type { Client } from '#tests/harness/client.ts';
import { messageFor, withCalls } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let ada: Client;
beforeAll(async () => {
  service = await startTestService();
  ada = await createUser(service, 'Ada');
});
afterAll(() => service.stop());

test('a sweep that dies while it derives from a message leaves the message to the next sweep', async () => {
  const { services } = service;
  // As if its sender had died between the message and what follows from it.
  const messageId = await commit(services, await messageFor(services, ada.userId, 'psst'));
  const dying = withCalls(services, () => ({
    findMany: async () => {
      throw new Error('The sweep died');
    },
  }));
  await expect(maintainLog(dying)).rejects.toThrow('The sweep died');
  await maintainLog(services);
  const { recent_private_conversations } = (await ada.register()).snapshot;
  expect(recent_private_conversations).toContainEqual(expect.objectContaining({ max_message_id: messageId }));
});
