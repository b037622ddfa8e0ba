import { expect, test } from 'vitest';
import { deleteDirectChange } from '#shared/actions/messages/delete-messages.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { commit } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import { findMessage } from '#shared/store/messages/messages.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { messageFor, withCalls } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';

/** More than one transaction writes to. */
const PEOPLE = 110;

const service = await startTestService();

test('The message before a deleted one is the newest for everyone in a large conversation', async () => {
  const { services } = service;
  const { message } = await messageFor(services, service.owner.userId, 'hello');
  if (message?.kind !== 'direct') throw new Error('There is no direct message');
  const [person] = message.recipients;
  const recipients = Array.from({ length: PEOPLE }, (_, n) => ({ ...person!, id: 1000 + n }));
  const send = () => commitMessage(services, { message: { ...message, recipients } });
  const [before, newest] = [await send(), await send()];
  const conversation = conversationKey(recipients.map(({ id }) => id));
  const newestOf = async (): Promise<Set<unknown>> => {
    const items = await services.table.findMany(
      recipients.map(({ id }) => userKeys.conversation(id, conversation)),
    );
    expect(items).toHaveLength(PEOPLE);
    return new Set(items.map(({ maxMessageId }) => maxMessageId));
  };
  expect(await newestOf()).toEqual(new Set([newest]));
  const deleted = await findMessage(services.table, newest);
  if (deleted?.kind !== 'direct') throw new Error('There is no direct message');
  const broken = withCalls(services, (table) => ({
    write: async (write) => {
      if (write.kind === 'update' && write.set && 'maxMessageId' in write.set) throw new Error('No summary');
      return table.write(write);
    },
  }));
  await expect(deleteDirectChange(broken, [deleted])).rejects.toThrow('No summary');
  await commit(services, await deleteDirectChange(services, [deleted]));
  expect(await newestOf()).toEqual(new Set([before]));
});
