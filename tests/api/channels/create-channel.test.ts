import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { newName } from './channel-calls.ts';
import { createPeople } from './people.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
const moderator = await createUser(service, 'Moderator', 300);

const create = (client: Client, params: Params) => client.post('/channels/create', params);

describe('Creating a channel', () => {
  test('Returns its id and applies the requested settings and first subscribers', async () => {
    const name = newName();
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      const { status, body } = await create(ada, {
        name: ` ${name} `,
        description: 'one\ntwo',
        subscribers: [bo.userId, guest.userId],
        invite_only: true,
        history_public_to_subscribers: true,
        topics_policy: 'disable_empty_topic',
        can_send_message_group: 4,
      });
      expect(status).toBe(200);
      const { stream } = (await bo.get(`/streams/${body.id}`)).body;
      expect(stream).toMatchObject({
        name,
        description: 'one two',
        invite_only: true,
        history_public_to_subscribers: true,
        topics_policy: 'disable_empty_topic',
        can_send_message_group: 4,
        creator_id: ada.userId,
        subscriber_count: 2,
      });
    });
  });

  test('Works without subscribers, and for private channels without the creator', async () => {
    const name = newName();
    const folder = await service.owner.post('/channel_folders/create', { name: 'Empty ones' });
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      const params = {
        name,
        subscribers: [],
        is_default_stream: true,
        folder_id: folder.body.channel_folder_id,
      };
      const { body } = await create(service.owner, params);
      expect((await bo.get(`/streams/${body.id}/members`)).body.subscribers).toEqual([]);
      const secret = await create(ada, { name: newName(), subscribers: [bo.userId], invite_only: true });
      expect((await bo.get(`/streams/${secret.body.id}/members`)).body.subscribers).toEqual([bo.userId]);
    });
  });

  test.each([true, false])(
    'Accepts send_new_subscription_messages: %s',
    async (send_new_subscription_messages) => {
      const queue = await bo.listen({ event_types: ['message'] });
      const { body } = await create(ada, {
        name: newName(),
        subscribers: [ada.userId, bo.userId],
        send_new_subscription_messages,
      });
      expect(body.ignored_parameters_unsupported).toBeUndefined();
      await service.settle();
      const directs = (await queue.drain()).filter(({ message }) => message.type === 'private');
      // People are notified of channels that existed before, as by POST /users/me/subscriptions.
      expect(directs).toEqual([]);
    },
  );

  test('Announces the channel if requested, and opens it with a note', async () => {
    const news = await ada.subscribe('news of channels');
    await service.owner.patch('/realm', { new_stream_announcements_stream_id: news });
    await service.settle();
    const queue = await ada.listen({ event_types: ['message'] });
    const name = newName();
    await create(ada, { name, subscribers: [ada.userId, bo.userId], announce: true });
    await service.settle();
    const topics = (await queue.drain()).map(({ message }) => [message.display_recipient, message.subject]);
    expect(topics).toEqual([
      [name, 'channel events'],
      ['news of channels', 'new channels'],
    ]);
  });

  test('Subscribes hundreds of people if the request names them', async () => {
    const people = await createPeople(service, 120);
    const { body } = await create(ada, { name: newName(), subscribers: people });
    const { subscribers } = (await ada.get(`/streams/${body.id}/members`)).body;
    expect(subscribers).toEqual(people);
    expect((await ada.get(`/streams/${body.id}`)).body.stream.subscriber_count).toBe(120);
  });

  test('Refuses a taken name in any letter case and composition, also when two requests race', async () => {
    const name = newName('Entre\u0301e');
    await create(ada, { name, subscribers: [] });
    for (const taken of [name, name.toUpperCase(), name.normalize('NFC')])
      expectRefusal(await create(bo, { name: taken, subscribers: [] }), `Channel '${taken}' already exists`, {
        status: 409,
        code: 'CHANNEL_ALREADY_EXISTS',
        channel_name: taken,
      });
    const wanted = newName();
    const replies = await Promise.all(
      [ada, bo, ada].map((client) => create(client, { name: wanted, subscribers: [bo.userId] })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('Gives the reason of a refusal, and changes nothing', async () => {
    const name = newName();
    const subscribers = [ada.userId];
    const cases: [Params, string][] = [
      [{ name: '', subscribers }, "Channel name can't be empty."],
      [
        { name, subscribers, description: 'x'.repeat(1025) },
        'description is too long (limit: 1024 characters)',
      ],
      [{ name, subscribers: [ada.userId, 9999] }, 'No such user'],
      [{ name, subscribers, is_web_public: true }, 'Web-public channels are not enabled.'],
      [{ name, subscribers, is_default_stream: true }, 'Insufficient permission'],
      [{ name, subscribers, folder_id: 77 }, 'Invalid channel folder ID'],
      [{ name, subscribers, can_add_subscribers_group: 77 }, 'Invalid user group ID: 77'],
      [{ name, subscribers, history_public_to_subscribers: false }, 'Invalid parameters'],
      [{ name, subscribers: [String(ada.userId)] }, 'subscribers[0] is not an integer'],
    ];
    for (const [params, msg] of cases) expectRefusal(await create(ada, params), msg);
    expectRefusal(await create(guest, { name, subscribers }), 'Must be an organization member', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    const retained = await create(moderator, { name, subscribers, message_retention_days: 3 });
    expectRefusal(retained, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
    const known = await createPeople(service, 500);
    const half = known.flatMap((userId) => [userId, userId + 1_000_000]);
    await service.settle();
    const writes = service.meter.write;
    expectRefusal(await create(ada, { name, subscribers: half }), 'No such user');
    // The pairs of a large request are counted, and taken back.
    expect(service.meter.write - writes).toBeLessThanOrEqual(2);
    expectRefusal(await ada.get('/get_stream_id', { stream: name }), `Invalid channel name '${name}'`);
  });
});
