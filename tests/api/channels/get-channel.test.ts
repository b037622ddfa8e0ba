import { afterAll, describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { newName } from './channel-calls.ts';
import { operationsOnChannels, sayingOf } from './unknowable-channels.ts';

const strangers: Record<string, Client> = {};
const absent = { channelId: 98_765, name: 'there is no such channel' };
const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
strangers.moderator = await createUser(service, 'Moderator', 300);
strangers.member = await createUser(service, 'Member');
strangers.guest = await createUser(service, 'Guest', 600);
strangers.bot = await createUser(service, 'Robot');
await service.makeBot(strangers.bot, strangers.member);
const name = newName('secret');
const secret = { name, channelId: await ada.subscribe(name, { invite_only: true }) };
await service.settle();
afterAll(() => service.stop());

test('GET returns the same record as the lists of channels', async () => {
  const channelId = await ada.subscribe(newName(), { description: 'Open' });
  await service.settle();
  const { member } = strangers as { member: Client };
  const { body } = await member.get('/streams');
  const listed = body.streams.find(({ stream_id }: { stream_id: number }) => stream_id === channelId);
  expect((await member.get(`/streams/${channelId}`)).body.stream).toEqual(listed);
});

test('A private channel is returned to its subscribers and to administrators', async () => {
  const admin = await createUser(service, 'Admin', 200);
  for (const client of [ada, service.owner, admin])
    expect((await client.get(`/streams/${secret.channelId}`)).body.stream.name).toBe(secret.name);
});

describe('A private channel that the caller may not know', () => {
  test.each(operationsOnChannels)('Looks missing to every role in %s', async (_name, call) => {
    for (const [role, client] of Object.entries(strangers)) {
      const [hidden, missing] = [
        await call(client, secret, client.userId),
        await call(client, absent, client.userId),
      ];
      expect(hidden.status, role).toBe(400);
      expect(sayingOf(hidden, secret), role).toEqual(sayingOf(missing, absent));
    }
    expect((await ada.get(`/streams/${secret.channelId}`)).body.stream).toMatchObject({
      is_archived: false,
      invite_only: true,
      description: '',
    });
  });

  test('Depends on the channel’s groups, which distinguish full members from new ones', async () => {
    await service.owner.patch('/realm', { waiting_period_threshold: 10 });
    const channelId = await ada.subscribe(newName(), { invite_only: true, can_subscribe_group: 5 });
    const { member, moderator } = strangers as Record<string, Client>;
    expect((await member?.get(`/streams/${channelId}`))?.status).toBe(400);
    expect((await moderator?.get(`/streams/${channelId}`))?.status).toBe(200);
    service.advance(11 * 24 * 3600 * 1000);
    expect((await member?.get(`/streams/${channelId}`))?.status).toBe(200);
  });
});
