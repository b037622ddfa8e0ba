import { describe, expect, test } from 'vitest';
import type { Channel, Snapshot, Subscription } from '#web/state/wire.ts';
import { channel, serverAfter, snapshot, VIEWER } from '../scene.ts';

/** A channel of which the viewer knows who is in it. */
const peopled = (id: number, name: string, ...subscribers: number[]): Subscription =>
  channel(id, name, { subscribers, subscriber_count: subscribers.length });
const LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const;
/** The ids of each list, in its order. */
const idsOf = (server: Snapshot) =>
  Object.fromEntries(LISTS.map((name) => [name, server[name]?.map(({ stream_id }) => stream_id)]));
const named = (list: Channel[], id: number) => list.find(({ stream_id }) => stream_id === id);

describe('A viewer who subscribes', () => {
  const before = {
    streams: [peopled(4, 'left', 7), peopled(6, 'print', 7), peopled(9, 'design', VIEWER)],
    subscriptions: [peopled(9, 'design', VIEWER)],
    unsubscribed: [peopled(3, 'old'), peopled(4, 'left', 7)],
    never_subscribed: [peopled(6, 'print', 7)],
  };
  const add = { type: 'subscription', op: 'add' };

  test('Has the channels among their own, in the order of the ids, and in no other list', () => {
    const subscriptions = [peopled(6, 'print', VIEWER, 7), peopled(4, 'left', VIEWER, 7)];
    const after = serverAfter(before, { ...add, subscriptions });
    expect(idsOf(after)).toEqual({
      streams: [4, 6, 9],
      subscriptions: [4, 6, 9],
      unsubscribed: [3],
      never_subscribed: [],
    });
    expect(named(after.subscriptions, 6)).toEqual(peopled(6, 'print', VIEWER, 7));
  });

  test('Counts in the channel in every list, and in no other channel', () => {
    const { streams } = serverAfter(before, { ...add, subscriptions: [peopled(6, 'print', VIEWER, 7)] });
    expect(streams.map(({ subscriber_count }) => subscriber_count)).toEqual([1, 2, 1]);
  });

  test('Has one record of a channel whose event comes twice', () => {
    const subscriptions = [peopled(9, 'design', VIEWER, 2)];
    const after = serverAfter(before, { ...add, subscriptions });
    expect(after.subscriptions).toEqual(subscriptions);
    expect(after.unsubscribed).toEqual(before.unsubscribed);
  });
});

describe('A viewer who leaves a channel', () => {
  const before = {
    streams: [peopled(6, 'print', VIEWER, 7), peopled(9, 'design', VIEWER, 2)],
    subscriptions: [peopled(6, 'print', VIEWER, 7), peopled(9, 'design', VIEWER, 2)],
    unsubscribed: [peopled(12, 'other')],
  };
  const remove = (...ids: number[]) => ({
    ...{ type: 'subscription', op: 'remove', subscriptions: ids.map((stream_id) => ({ stream_id })) },
  });

  test('Has it among the left channels, in the order of the ids, without themselves', () => {
    const after = serverAfter(before, remove(9));
    expect(idsOf(after)).toMatchObject({ subscriptions: [6], unsubscribed: [9, 12] });
    expect(named(after.unsubscribed, 9)).toEqual(peopled(9, 'design', 2));
    expect(after.streams).toEqual([peopled(6, 'print', VIEWER, 7), peopled(9, 'design', 2)]);
  });

  test('Can leave several at once, and none that they were not in', () => {
    expect(idsOf(serverAfter(before, remove(9, 6, 77)))).toEqual({
      streams: [6, 9],
      subscriptions: [],
      unsubscribed: [6, 9, 12],
      never_subscribed: [],
    });
  });
});

test('A setting of a subscription changes only in that channel', () => {
  const event = { type: 'subscription', op: 'update', stream_id: 9, property: 'color', value: '#fff' };
  const { subscriptions } = serverAfter({}, event);
  expect(subscriptions).toEqual([
    { ...channel(9, 'design'), color: '#fff' },
    channel(10, 'random', { is_muted: true }),
  ]);
});

describe('The people of a channel', () => {
  const before = {
    streams: [peopled(6, 'print', 4, 7), peopled(9, 'design', 4), peopled(10, 'random', 4)],
    subscriptions: [peopled(9, 'design', 4)],
    unsubscribed: [peopled(6, 'print', 4, 7)],
    never_subscribed: [peopled(10, 'random', 4)],
  };
  const peers = (op: string, stream_ids: number[], user_ids: number[]) => ({
    ...{ type: 'subscription', op, stream_ids, user_ids },
  });

  test('Come in the order of their ids and once, in every list with the channel', () => {
    const after = serverAfter(before, peers('peer_add', [6, 9], [12, 7, 3]));
    const print = peopled(6, 'print', 3, 4, 7, 12);
    const design = peopled(9, 'design', 3, 4, 7, 12);
    expect(after.streams).toEqual([print, design, before.streams[2]]);
    expect([after.subscriptions, after.unsubscribed]).toEqual([[design], [print]]);
    expect(after.never_subscribed).toEqual(before.never_subscribed);
  });

  test('Leave only the channels of the event', () => {
    const { streams } = serverAfter(before, peers('peer_remove', [6, 10], [4, 99]));
    expect(streams).toEqual([peopled(6, 'print', 7), peopled(9, 'design', 4), peopled(10, 'random')]);
  });

  test('Have a count if the viewer does not know them', () => {
    const counted = (subscriber_count: number) => [channel(9, 'design', { subscriber_count })];
    const added = peers('peer_add', [9], [2, 3]);
    expect(serverAfter({ subscriptions: counted(5) }, added).subscriptions).toEqual(counted(7));
    const gone = peers('peer_remove', [9], [2, 3]);
    expect(serverAfter({ subscriptions: counted(5) }, gone).subscriptions).toEqual(counted(3));
  });
});

describe('A new channel', () => {
  const create = (...streams: Channel[]) => ({ type: 'stream', op: 'create', streams });

  test('Appears among all channels and, without people, among the never subscribed ones', () => {
    const before = { streams: [channel(9, 'design')], never_subscribed: [channel(20, 'z')] };
    const after = serverAfter(before, create(peopled(12, 'print', 7), channel(5, 'news')));
    expect(idsOf(after)).toMatchObject({ streams: [5, 9, 12], never_subscribed: [5, 12, 20] });
    expect(named(after.streams, 12)).toEqual(peopled(12, 'print', 7));
    expect(named(after.never_subscribed, 12)).toEqual({ ...peopled(12, 'print', 7), subscribers: [] });
  });

  test('Does not appear among the never subscribed ones if the viewer is or was in it', () => {
    const before = { unsubscribed: [channel(12, 'print')] };
    const after = serverAfter(before, create(channel(9, 'design'), channel(12, 'print')));
    expect(idsOf(after)).toEqual({
      streams: [9, 12],
      subscriptions: [9, 10],
      unsubscribed: [12],
      never_subscribed: [],
    });
  });

  test('Appears once if its event comes twice, in its last state', () => {
    const { streams } = serverAfter({}, create(channel(12, 'print')), create(channel(12, 'paper')));
    expect(streams).toEqual([channel(12, 'paper')]);
  });
});

test('A deleted channel leaves every list', () => {
  const all = [channel(9, 'design'), channel(12, 'print')];
  const before = { streams: all, subscriptions: all, unsubscribed: all, never_subscribed: all };
  const after = serverAfter(before, { type: 'stream', op: 'delete', streams: [{ stream_id: 9 }] });
  const rest = [12];
  expect(idsOf(after)).toEqual({
    streams: rest,
    subscriptions: rest,
    unsubscribed: rest,
    never_subscribed: rest,
  });
});

test('A list that register left out stays away', () => {
  const { never_subscribed: _, ...some } = snapshot();
  const before = { ...some, never_subscribed: undefined } as unknown as Snapshot;
  const gone = { type: 'stream', op: 'delete', streams: [{ stream_id: 9 }] };
  const news = { type: 'stream', op: 'update', stream_id: 10, property: 'name', value: 'news' };
  const after = serverAfter(before, gone, news);
  expect(after.never_subscribed).toBeUndefined();
  expect(after.subscriptions.map(({ name }) => name)).toEqual(['news']);
});

describe('A change of a channel', () => {
  const update = (property: string, value: unknown, fields: object = {}) => ({
    ...{ type: 'stream', op: 'update', stream_id: 9, name: 'design', property, value, ...fields },
  });

  test('Reaches it in every list, with all fields that changed together, and nothing else of the event', () => {
    const before = { streams: [channel(9, 'design'), channel(10, 'random')] };
    const extras = {
      rendered_description: '<p>new</p>',
      history_public_to_subscribers: true,
      is_web_public: false,
    };
    const event = update('description', 'new', { ...extras, stream_privacy: 'public' });
    const after = serverAfter(before, event);
    const changed = { ...channel(9, 'design'), ...extras, description: 'new' };
    expect(after.streams).toEqual([changed, channel(10, 'random')]);
    expect(after.subscriptions[0]).toEqual(changed);
    expect(after.unsubscribed).toEqual([]);
  });

  test('Renames it among the muted topics of old clients if its name changes, and not otherwise', () => {
    const muted_topics: [string, string, number][] = [
      ['design', 'logo', 5],
      ['random', 'lunch', 6],
    ];
    expect(serverAfter({ muted_topics }, update('name', 'drawing')).muted_topics).toEqual([
      ['drawing', 'logo', 5],
      ['random', 'lunch', 6],
    ]);
    expect(serverAfter({ muted_topics }, update('description', 'x')).muted_topics).toEqual(muted_topics);
    expect(serverAfter({}, update('name', 'drawing'))).not.toHaveProperty('muted_topics');
  });
});

describe('The folders of channels', () => {
  const folder = (id: number, name: string, order: number) => ({
    ...{ id, name, order, description: '', is_archived: false },
  });
  const channel_folders = [folder(6, 'First', 0), folder(5, 'Second', 1)];
  const resultOf = (event: object) =>
    serverAfter({ channel_folders }, { type: 'channel_folder', ...event }).channel_folders;

  test('Come in their order', () => {
    const third = folder(7, 'Between', 0.5);
    expect(resultOf({ op: 'add', channel_folder: third })).toEqual([
      channel_folders[0],
      third,
      channel_folders[1],
    ]);
  });

  test('Change by their ids', () => {
    expect(resultOf({ op: 'update', channel_folder_id: 5, data: { name: 'Other' } })).toEqual([
      channel_folders[0],
      folder(5, 'Other', 1),
    ]);
  });

  test('Have the order that an administrator sets', () => {
    expect(resultOf({ op: 'reorder', order: [5, 6] })).toEqual([
      folder(5, 'Second', 0),
      folder(6, 'First', 1),
    ]);
  });
});

test('The channels of new people are sorted by id', () => {
  const event = { type: 'default_streams', default_streams: [12, 9, 100] };
  expect(serverAfter({}, event).realm_default_streams).toEqual([9, 12, 100]);
});

test('Events of channels leave untouched parts the same object', () => {
  const before = snapshot({ streams: [channel(9, 'design')], never_subscribed: [channel(20, 'z')] });
  const peers = { type: 'subscription', op: 'peer_add', stream_ids: [9], user_ids: [5] };
  const added = { type: 'subscription', op: 'add', subscriptions: [channel(30, 'y')] };
  const after = serverAfter(before, peers, added);
  expect(after.never_subscribed).toBe(before.never_subscribed);
  expect(after.unsubscribed).toBe(before.unsubscribed);
  expect(after.streams).not.toBe(before.streams);
});
