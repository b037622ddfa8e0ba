import { describe, expect, test } from 'vitest';
import { makeFolder } from '#tests/api/channel-folders/folder-calls.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { expectEachRefused, MEMBERS_ONLY, newName, OWNERS_ONLY } from './channel-calls.ts';
import { membersOf, recordOf } from './channel-records.ts';
import { createPeople } from './people.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
const moderator = await createUser(service, 'Moderator', 300);

const create = (client: Client, params: Params) => client.post('/channels/create', params);

describe('Creating a channel', () => {
  test('Returns its id and applies the requested settings and first subscribers', async () => {
    const name = newName();
    const subscribers = [bo.userId, guest.userId];
    const settings = {
      invite_only: true,
      history_public_to_subscribers: true,
      topics_policy: 'disable_empty_topic',
      can_send_message_group: 4,
    };
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      const params = { name: ` ${name} `, description: 'one\ntwo', subscribers, ...settings };
      const { body } = await create(ada, params);
      const created = { name, description: 'one two', creator_id: ada.userId, subscriber_count: 2 };
      expect(await recordOf(bo, body.id)).toMatchObject({ ...created, ...settings });
    });
  });

  test('Works without subscribers, and for private channels without the creator', async () => {
    const { id: folder_id } = await makeFolder(service.owner);
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      const params = { name: newName(), subscribers: [], is_default_stream: true, folder_id };
      const { body } = await create(service.owner, params);
      expect((await membersOf(bo, body.id)).body.subscribers).toEqual([]);
      const secret = await create(ada, { name: newName(), subscribers: [bo.userId], invite_only: true });
      expect((await membersOf(bo, secret.body.id)).body.subscribers).toEqual([bo.userId]);
    });
  });

  test.each([true, false])('Accepts send_new_subscription_messages: %s', async (isWanted) => {
    const queue = await bo.listen();
    const params = { name: newName(), subscribers: [ada.userId, bo.userId] };
    const { body } = await create(ada, { ...params, send_new_subscription_messages: isWanted });
    expect(body.ignored_parameters_unsupported).toBeUndefined();
    await service.settle();
    // People are notified of channels that existed before, as by POST /users/me/subscriptions.
    for (const { type } of await drainMessages(queue)) expect(type).toBe('stream');
  });

  test('Announces the channel if requested, and opens it with a note', async () => {
    const news = await ada.subscribe('news of channels');
    await service.owner.patch('/realm', { new_stream_announcements_stream_id: news });
    await service.settle();
    const queue = await ada.listen({ event_types: ['message'] });
    const name = newName();
    await create(ada, { name, subscribers: [ada.userId, bo.userId], announce: true });
    await service.settle();
    const messages = await drainMessages(queue);
    const topics = messages.map(({ display_recipient, subject }) => [display_recipient, subject]);
    expect(topics).toEqual([
      [name, 'channel events'],
      ['news of channels', 'new channels'],
    ]);
  });

  test('Subscribes hundreds of people if the request names them', async () => {
    const subscribers = await createPeople(service, 120);
    const { body } = await create(ada, { name: newName(), subscribers });
    expect((await membersOf(ada, body.id)).body.subscribers).toEqual(subscribers);
    expect((await recordOf(ada, body.id)).subscriber_count).toBe(120);
  });

  test('Refuses a taken name in any letter case and composition, also when two requests race', async () => {
    const name = newName('Entre\u0301e');
    await create(ada, { name, subscribers: [] });
    for (const channel_name of [name, name.toUpperCase(), name.normalize('NFC')]) {
      const refusal = { status: 409, code: 'CHANNEL_ALREADY_EXISTS', channel_name };
      const refused = await create(bo, { name: channel_name, subscribers: [] });
      expectRefusal(refused, `Channel '${channel_name}' already exists`, refusal);
    }
    const wanted = newName();
    const replies = await Promise.all(
      [ada, bo, ada].map((client) => create(client, { name: wanted, subscribers: [bo.userId] })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('Gives the reason of a refusal, and changes nothing', async () => {
    const name = newName();
    const subscribers = [ada.userId];
    await expectEachRefused(
      (params) => create(ada, { name, subscribers, ...params }),
      [
        [{ name: '' }, "Channel name can't be empty."],
        [{ description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
        [{ subscribers: [ada.userId, 9999] }, 'No such user'],
        [{ is_web_public: true }, 'Web-public channels are not enabled.'],
        [{ is_default_stream: true }, 'Insufficient permission'],
        [{ folder_id: 77 }, 'Invalid channel folder ID'],
        [{ can_add_subscribers_group: 77 }, 'Invalid user group ID: 77'],
        [{ history_public_to_subscribers: false }, 'Invalid parameters'],
        [{ subscribers: [String(ada.userId)] }, 'subscribers[0] is not an integer'],
      ],
    );
    expectRefusal(await create(guest, { name, subscribers }), ...MEMBERS_ONLY);
    const retained = await create(moderator, { name, subscribers, message_retention_days: 3 });
    expectRefusal(retained, ...OWNERS_ONLY);
    const ids = await createPeople(service, 500);
    const half = ids.flatMap((userId) => [userId, userId + 1_000_000]);
    await service.settle();
    const writes = service.meter.write;
    expectRefusal(await create(ada, { name, subscribers: half }), 'No such user');
    // The pairs of a large request are counted, and taken back.
    expect(service.meter.write - writes).toBeLessThanOrEqual(2);
    expectRefusal(await ada.get('/get_stream_id', { stream: name }), `Invalid channel name '${name}'`);
  });
});
