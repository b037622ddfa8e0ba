import { expect, test } from 'vitest';
import type { Snapshot } from '#web/state/wire.ts';
import { channel, serverAfter, snapshot } from '../scene.ts';

const peers = (op: string, stream_ids: number[], user_ids: number[]) => ({
  ...{ type: 'subscription', op, stream_ids, user_ids },
});

test('The people of a channel have a count if the viewer does not know them', () => {
  const counted = (subscriber_count: number) => [channel(9, 'design', { subscriber_count })];
  const added = peers('peer_add', [9], [2, 3]);
  expect(serverAfter({ subscriptions: counted(5) }, added).subscriptions).toEqual(counted(7));
  const gone = peers('peer_remove', [9], [2, 3]);
  expect(serverAfter({ subscriptions: counted(5) }, gone).subscriptions).toEqual(counted(3));
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

test('Events of channels leave untouched parts the same object', () => {
  const before = snapshot({ streams: [channel(9, 'design')], never_subscribed: [channel(20, 'z')] });
  const peers = { type: 'subscription', op: 'peer_add', stream_ids: [9], user_ids: [5] };
  const added = { type: 'subscription', op: 'add', subscriptions: [channel(30, 'y')] };
  const after = serverAfter(before, peers, added);
  expect(after.never_subscribed).toBe(before.never_subscribed);
  expect(after.unsubscribed).toBe(before.unsubscribed);
  expect(after.streams).not.toBe(before.streams);
});
