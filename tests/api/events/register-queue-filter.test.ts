import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { EventQueue, ReceivedEvent } from '#tests/harness/client.ts';
import {
  createChannel,
  createUser,
  createUsers,
  drainMessages,
  idsOf,
  listenAll,
} from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { pair } from '../messages/lists/message-lists.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

describe('event_types', () => {
  const doMuch = async () => {
    await ada.send(room.name, 'topic', 'hello');
    await ada.subscribe(`${room.name} again ${Math.random()}`);
    await createUser(service, 'New');
  };
  /** The types that a queue gets for each of these wishes, of the same things done. */
  const typesGot = async (...wishes: unknown[]): Promise<string[][]> => {
    const queues: EventQueue[] = [];
    for (const event_types of wishes) queues.push(await bo.listen({ event_types }));
    await doMuch();
    const typesOf = async (queue: EventQueue) => (await queue.drain()).map(({ type }) => type);
    return Promise.all(queues.map(async (queue) => [...new Set(await typesOf(queue))].sort()));
  };

  test('Default to all types if absent or null', proves('register-queue.10'), async () => {
    const all = ['message', 'realm_user', 'stream', 'subscription', 'user_group'];
    expect(await typesGot(undefined, 'null')).toEqual([all, all]);
  });

  test('Select only known types', proves('register-queue.10'), async () => {
    const some = ['realm_user', 'stream', 'telepathy', 'stream'];
    const got = await typesGot(['message'], some, ['telepathy'], []);
    expect(got).toEqual([['message'], ['realm_user', 'stream'], [], []]);
  });

  test('May differ from fetch_event_types', async () => {
    const queue = await bo.register({ event_types: ['message'], fetch_event_types: ['stream'] });
    expect(queue.snapshot).toHaveProperty('streams');
    expect(queue.snapshot).not.toHaveProperty('max_message_id');
    const id = await ada.send(room.name, 'topic', 'hello');
    expect(idsOf(await drainMessages(queue))).toEqual([id]);
  });
});

describe('apply_markdown', () => {
  test('Chooses between source and HTML', proves('register-queue.3'), async () => {
    const [plain, html] = [await bo.listen(), await bo.listen({ apply_markdown: true })];
    await ada.send(room.name, 'topic', '**hi**');
    const source = { content: '**hi**', content_type: 'text/x-markdown' };
    expect(await drainMessages(plain)).toMatchObject([source]);
    const rendered = { content: '<p><strong>hi</strong></p>', content_type: 'text/html' };
    expect(await drainMessages(html)).toMatchObject([rendered]);
  });
});

describe('client_gravatar', () => {
  test('Leaves avatars out of messages and accounts unless false', proves('register-queue.4'), async () => {
    const queues = [await bo.listen(), await bo.listen({ client_gravatar: true })];
    const needy = await bo.listen({ client_gravatar: false });
    await service.owner.patch('/realm', { default_avatar_source: 'G' });
    const sender = await createUser(service, 'New');
    await sender.sendDirect([bo.userId], 'hi');
    await service.owner.patch('/realm', { default_avatar_source: 'J' });
    const ofPeople = async (queue: EventQueue) => {
      const events = await queue.drain();
      const found = ['message', 'realm_user'].map((type) => events.find((event) => event.type === type));
      return found as [ReceivedEvent, ReceivedEvent];
    };
    for (const queue of queues) {
      const [sent, created] = await ofPeople(queue);
      expect([sent.message.avatar_url, created.person.avatar_url]).toEqual([null, null]);
    }
    const [sent, created] = await ofPeople(needy);
    for (const { avatar_url } of [sent.message, created.person]) expect(avatar_url).toMatch(/^https:/);
  });
});

describe('client_capabilities', () => {
  test(
    'Empty topics have no name for clients with empty_topic_name',
    proves('register-queue.19'),
    async () => {
      const old = await bo.listen();
      const denying = await bo.listen({ client_capabilities: { empty_topic_name: false } });
      const capable = await bo.listen({ client_capabilities: { empty_topic_name: true } });
      await ada.send(room.name, '', 'hi');
      for (const queue of [old, denying])
        expect(await drainMessages(queue)).toMatchObject([{ subject: 'general chat' }]);
      expect(await drainMessages(capable)).toMatchObject([{ subject: '' }]);
    },
  );

  test(
    'notification_settings_null shows inherited settings as null',
    proves('register-queue.18'),
    async () => {
      const old = await bo.listen({ event_types: ['subscription'] });
      const client_capabilities = { notification_settings_null: true };
      const capable = await bo.listen({ event_types: ['subscription'], client_capabilities });
      const { channelId } = await createChannel(service, [bo]);
      const settingsIn = async (queue: typeof old) => {
        const [added] = await queue.drain();
        expect(added).toMatchObject({ op: 'add', subscriptions: [{ stream_id: channelId }] });
        const record = added?.subscriptions[0] ?? {};
        return [record.desktop_notifications, record.wildcard_mentions_notify];
      };
      expect(await settingsIn(old)).toEqual([false, true]);
      expect(await settingsIn(capable)).toEqual([null, null]);
    },
  );
});

describe('A narrow', () => {
  /** The events of queues with these narrows, for the same messages. */
  const got = async (...narrows: [string, string][][]): Promise<string[][]> => {
    const queues: EventQueue[] = [];
    for (const narrow of narrows) queues.push(await bo.listen({ narrow, event_types: ['message'] }));
    const other = await createChannel(service, [ada, bo]);
    const ids: Record<string, number> = {
      logo: await ada.send(room.name, 'Logo', 'x'),
      resolved: await ada.send(room.name, '✔ logo', 'x'),
      empty: await ada.send(room.name, '', 'x'),
      elsewhere: await ada.send(other.name, 'logo', 'x'),
      direct: await ada.sendDirect([bo.userId], 'x'),
      own: await bo.send(room.name, 'logo', 'x', { read_by_sender: true }),
    };
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const messages = await Promise.all(queues.map(drainMessages));
    return messages.map((received) => idsOf(received).flatMap((id) => names.get(id) ?? []));
  };

  test('Matches a channel in any letter case', proves('register-queue.13'), async () => {
    const here = ['logo', 'resolved', 'empty', 'own'];
    expect(await got([['channel', room.name.toUpperCase()]], [['stream', room.name]])).toEqual([here, here]);
  });

  test('Matches a topic in any letter case, and the empty topic by its display name too', async () => {
    const [logo, ...empty] = await got(
      [['topic', 'LOGO']],
      [['topic', '']],
      [['topic', 'general chat']],
      [['topic', '(no topic)']],
    );
    expect(logo).toEqual(['logo', 'elsewhere', 'own']);
    expect(empty).toEqual([['empty'], ['empty'], ['empty']]);
  });

  test('With several terms requires all of them', async () => {
    const all = [pair('channel', room.name), pair('topic', 'logo'), pair('sender', ada.email)];
    expect(await got(all, [pair('is', 'dm'), pair('topic', 'logo')])).toEqual([['logo'], []]);
  });

  test('Matches a sender by their address in any letter case', async () => {
    expect(await got([['sender', bo.email.toUpperCase()]])).toEqual([['own']]);
  });

  test('Can select direct, resolved or unread messages', proves('register-queue.13'), async () => {
    expect(await got([['is', 'dm']], [['is', 'private']], [['is', 'resolved']], [['is', 'unread']])).toEqual([
      ['direct'],
      ['direct'],
      ['resolved'],
      ['logo', 'resolved', 'empty', 'elsewhere', 'direct'],
    ]);
  });

  test('Can select all channel messages', async () => {
    const inChannels = ['logo', 'resolved', 'empty', 'elsewhere', 'own'];
    expect(await got([['is', 'channel']], [['is', 'stream']])).toEqual([inChannels, inChannels]);
  });

  test('Follows the mutes of its owner at the time of the poll', async () => {
    const listenTo = (word: string) => bo.listen({ narrow: [['is', word]], event_types: ['message'] });
    const [muted, followed] = [await listenTo('muted'), await listenTo('followed')];
    const next = async (queue: EventQueue) => idsOf(await drainMessages(queue));
    const other = await createChannel(service, [ada, bo]);
    const prefer = (topic: string, visibility_policy: number) =>
      bo.post('/user_topics', { stream_id: other.channelId, topic, visibility_policy });
    const send = (topic: string) => ada.send(other.name, topic, 'x');
    const mute = (value: boolean) => {
      const change = { stream_id: other.channelId, property: 'is_muted', value };
      return bo.post('/users/me/subscriptions/properties', { subscription_data: [change] });
    };
    await send('plain');
    await prefer('quiet', 1);
    const quiet = await send('quiet');
    await prefer('dear', 3);
    const dear = await send('dear');
    expect(await next(muted)).toEqual([quiet]);
    expect(await next(followed)).toEqual([dear]);
    await mute(true);
    const inMuted = await send('plain');
    const stillDear = await send('dear');
    expect(await next(muted)).toEqual([inMuted]);
    await mute(false);
    await prefer('quiet', 0);
    for (const topic of ['plain', 'quiet']) await send(topic);
    expect(await next(muted)).toEqual([]);
    expect(await next(followed)).toEqual([stillDear]);
  });

  test('For attributes that no new message has matches nothing', async () => {
    const nothing = await got([['is', 'starred']], [['is', 'mentioned']], [['is', 'alerted']]);
    expect(nothing).toEqual([[], [], []]);
  });

  test('Never shows messages that its owner did not receive', proves('register-queue.14'), async () => {
    const [cy] = await createUsers(service, 'Cy');
    const queue = await cy.listen({ narrow: [['channel', room.name]] });
    await ada.send(room.name, 'topic', 'not for Cy');
    expect(await drainMessages(queue)).toEqual([]);
  });

  test('Filters messages only', proves('register-queue.13'), async () => {
    const queue = await bo.listen({ narrow: [['topic', 'nothing has this topic']] });
    await ada.send(room.name, 'topic', 'x');
    await createUser(service, 'New');
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['realm_user', 'user_group', 'user_group']);
  });
});

describe('all_public_streams', () => {
  test('Adds messages of unsubscribed public channels, as read', proves('register-queue.12'), async () => {
    const [cy] = await createUsers(service, 'Cy');
    const [all, own] = [await cy.listen({ all_public_streams: true }), await cy.listen()];
    const id = await ada.send(room.name, 'topic', 'for all');
    const [event] = await all.drain();
    expect(event).toMatchObject({ type: 'message', message: { id }, flags: ['read', 'historical'] });
    expect(await drainMessages(own)).toEqual([]);
  });

  test('Keeps the flags of received messages', async () => {
    const queue = await bo.listen({ all_public_streams: true });
    const id = await ada.send(room.name, 'topic', 'hi');
    expect(await queue.drain()).toMatchObject([{ type: 'message', message: { id }, flags: [] }]);
  });

  test('Never adds messages of private channels or other people', proves('register-queue.12'), async () => {
    const [cy] = await createUsers(service, 'Cy');
    const secret = await createChannel(service, [ada, bo], { invite_only: true });
    const queues = await listenAll([cy, service.owner], { all_public_streams: true });
    await ada.send(secret.name, 'topic', 'secret');
    await ada.sendDirect([bo.userId], 'secret');
    for (const queue of queues) expect(await drainMessages(queue)).toEqual([]);
  });
});
