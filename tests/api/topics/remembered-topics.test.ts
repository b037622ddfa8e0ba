import { beforeEach, expect, test } from 'vitest';
import { raiseBySending } from '#shared/actions/topics/own-topics.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { TopicView } from '#shared/domain/messages/topic.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Key } from '#shared/table/keys/key.ts';
import type { Table } from '#shared/table/table.ts';

const MINUTE_MS = 60_000;
const MOST_REMEMBERED = 10_000;
const sender = { userId: 1 } as User;

let nowMs: number;
let requested: Key[];
let services: Services;
beforeEach(() => {
  nowMs = 1_000_000;
  requested = [];
  const table = {
    async find(key: Key) {
      requested.push(key);
      return { ...key, maxMessageId: 1 };
    },
  };
  services = { table: table as Partial<Table> as Table, clock: { nowMs: () => nowMs } } as Services;
});

const send = async (topic: string): Promise<void> => {
  const view = { channel: { channelId: 1 } as Channel, topic, subscription: undefined } as TopicView;
  expect(await raiseBySending(services, sender, view)).toBeUndefined();
};

test('An existing topic is read once a minute, for all its writers and in any letter case', async () => {
  await send('Plans');
  nowMs += MINUTE_MS - 1;
  await send('plans');
  expect(requested).toHaveLength(1);
  nowMs += 1;
  await send('Plans');
  expect(requested).toHaveLength(2);
  await send('others');
  expect(requested).toHaveLength(3);
});

test('Ten thousand topics are cached, and one more clears the others', async () => {
  for (let n = 0; n < MOST_REMEMBERED; n++) await send(`topic ${n}`);
  await send('topic 0');
  expect(requested).toHaveLength(MOST_REMEMBERED);
  await send('one more');
  await send('topic 0');
  await send('one more');
  expect(requested).toHaveLength(MOST_REMEMBERED + 2);
});
