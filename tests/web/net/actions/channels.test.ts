import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VIEWER } from '../../scene.ts';
import { load, openStillPage, type StillPage } from '../still-page.ts';
import { expectAsked } from './asked.ts';

const [messages, channels, store] = await load(
  '#web/net/message-actions.ts',
  '#web/net/channel-actions.ts',
  '#web/net/store.ts',
);

let page: StillPage;
beforeEach(() => {
  page = openStillPage({});
  store.notices.value = [];
});
afterEach(() => page.close());

const notice = () => store.notices.value.at(-1);

const logo = { stream_id: 9, name: 'design' };

test('Actions on a channel call the service', () => {
  const people = { name: 'plans', description: 'Next year', userIds: [2] };
  const create = (privacy: string, folderId?: number) => () =>
    channels.createChannel({ ...people, privacy, folderId });
  const created = { name: 'plans', description: 'Next year', subscribers: [VIEWER, 2] };
  const property = { subscription_data: [{ stream_id: 9, property: 'color', value: 'red' }] };
  return expectAsked(page, [
    [
      create('public', 4),
      'POST /channels/create',
      { ...created, invite_only: false, history_public_to_subscribers: true, folder_id: 4 },
      'once',
    ],
    [
      create('shared history'),
      'POST /channels/create',
      { ...created, invite_only: true, history_public_to_subscribers: true },
      'once',
    ],
    [
      create('private'),
      'POST /channels/create',
      { ...created, invite_only: true, history_public_to_subscribers: false },
      'once',
    ],
    [
      () => channels.setPrivacy(logo, 'public'),
      'PATCH /streams/9',
      { is_private: false, history_public_to_subscribers: true },
    ],
    [
      () => channels.setPrivacy(logo, 'shared history'),
      'PATCH /streams/9',
      { is_private: true, history_public_to_subscribers: true },
    ],
    [
      () => channels.setPrivacy(logo, 'private'),
      'PATCH /streams/9',
      { is_private: true, history_public_to_subscribers: false },
    ],
    [() => channels.editChannel(9, { description: 'x' }), 'PATCH /streams/9', { description: 'x' }],
    [() => channels.unsubscribe(logo), 'DELETE /users/me/subscriptions', { subscriptions: ['design'] }],
    [
      () => messages.subscribe('design'),
      'POST /users/me/subscriptions',
      { subscriptions: [{ name: 'design' }] },
    ],
    [
      () => channels.addSubscribers('design', [2, 3]),
      'POST /users/me/subscriptions',
      { subscriptions: [{ name: 'design' }], principals: [2, 3] },
    ],
    [
      () => channels.removeSubscriber('design', 2),
      'DELETE /users/me/subscriptions',
      { subscriptions: ['design'], principals: [2] },
    ],
    [() => channels.setOwnProperty(9, 'color', 'red'), 'POST /users/me/subscriptions/properties', property],
    [
      () => messages.setChannelProperty(9, 'color', 'red'),
      'POST /users/me/subscriptions/properties',
      property,
    ],
    [() => channels.archive(logo), 'DELETE /streams/9'],
  ]);
});

test('A new channel has its id', async () => {
  page.answer = () => ({ body: { id: 12 } });
  expect(await channels.createChannel({ name: 'x', description: '', privacy: 'public', userIds: [] })).toBe(
    12,
  );
});

test('The privacy of a channel follows from its readers and its history', () => {
  const of = (invite_only: boolean, history_public_to_subscribers: boolean) =>
    channels.privacyOf({ invite_only, history_public_to_subscribers });
  expect([of(false, true), of(false, false), of(true, true), of(true, false)]).toEqual([
    ...['public', 'public', 'shared history', 'private'],
  ]);
});

describe('A channel that the viewer leaves or archives', () => {
  test.each([
    [
      'unsubscribe',
      'Unsubscribed from #design',
      'POST /users/me/subscriptions',
      { subscriptions: '[{"name":"design"}]' },
    ],
    ['archive', '#design archived', 'PATCH /streams/9', { is_archived: 'false' }],
  ])('Returns by its notice: %s', async (action, text, call, params) => {
    await channels[action](logo);
    expect(notice()).toMatchObject({ text, action: { label: 'Undo' } });
    page.calls.length = 0;
    notice().action.run();
    await page.pass(0);
    expect(page.calls).toMatchObject([{ call, params }]);
  });
});

test('A refusal appears in the words of the service, and offers nothing to undo', async () => {
  page.answer = () => ({ status: 400, body: { msg: 'Not today' } });
  const refused: [() => Promise<unknown>, string][] = [
    [() => channels.unsubscribe(logo), 'Couldn’t unsubscribe from #design'],
    [() => channels.archive(logo), 'Couldn’t change #design'],
    [() => channels.removeSubscriber('design', 2), 'Couldn’t remove the subscriber'],
  ];
  for (const [wish, words] of refused) {
    store.notices.value = [];
    expect(await wish()).not.toBe(true);
    expect(store.notices.value).toEqual([{ id: expect.any(Number), text: `${words}: Not today` }]);
  }
});
