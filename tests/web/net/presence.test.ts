import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { channel, VIEWER } from '../scene.ts';
import { load, useStillPage } from './still-page.ts';

const ADA = 2;
const [presence, store] = await load('#web/net/presence.ts', '#web/net/store.ts');
const settings = { send_stream_typing_notifications: true, send_private_typing_notifications: false };

/** The group of the viewer alone. */
const own = { direct_members: [VIEWER], direct_subgroups: [] };

const page = useStillPage({
  server_presence_ping_interval_seconds: 60,
  server_typing_started_expiry_period_milliseconds: 15_000,
  server_typing_started_wait_period_milliseconds: 10_000,
  server_typing_stopped_wait_period_milliseconds: 5_000,
  user_settings: settings,
  realm_user_groups: [],
  realm_direct_message_permission_group: own,
  subscriptions: [channel(9, 'design', { can_send_message_group: own })],
});
let stop: () => void;
afterEach(() => stop());

describe('A page that reports presence', () => {
  const said = () =>
    page.calls.map(({ afterMs, params }) => `${afterMs / 1000} ${params.status} ${params.new_user_input}`);

  beforeEach(() => {
    stop = presence.tellPresence();
  });

  test('Reports after a second and then once a minute, and idle after five minutes without input', async () => {
    page.window.dispatchEvent(new Event('keydown'));
    await page.pass(6 * 60_000);
    expect(said()).toEqual([
      '1 active true',
      ...[60, 120, 180, 240].map((seconds) => `${seconds} active false`),
      ...[300, 360].map((seconds) => `${seconds} idle false`),
    ]);
  });

  test('Reports idle while another program has the keyboard', async () => {
    page.document.hasFocus = () => false;
    await page.pass(1_000);
    expect(said()).toEqual(['1 idle true']);
  });

  test('Requests only changes since the last answer, and knows who is present', async () => {
    const presences = { [ADA]: { active_timestamp: page.nowMs() / 1000, idle_timestamp: 0 } };
    page.answer = () => ({ body: { presence_last_update_id: 7, presences } });
    await page.pass(1_000);
    expect(store.server.value.presences).toMatchObject(presences);
    page.answer = () => ({ status: 500, body: {} });
    await page.pass(60_000);
    await page.pass(60_000);
    expect(page.calls.map(({ params }) => params.last_update_id)).toEqual(['-1', '7', '7']);
    expect(page.calls[0]).toMatchObject({
      call: 'POST /users/me/presence',
      params: { ping_only: 'false', slim_presence: 'true' },
    });
  });
});

test('A person is active or idle for as long as the service says, and offline then', () => {
  stop = () => undefined;
  const activityOf = (seen: object, userId = ADA, presence_enabled = true, nowMs = 1_000_000): string => {
    const known = { user_id: VIEWER, presences: { [ADA]: seen }, user_settings: { presence_enabled } };
    return presence.activityOf({ ...known, server_presence_offline_threshold_seconds: 140 }, userId, nowMs);
  };
  expect(activityOf({ active_timestamp: 861, idle_timestamp: 861 })).toBe('active');
  expect(activityOf({ active_timestamp: 860, idle_timestamp: 861 })).toBe('idle');
  expect(activityOf({ active_timestamp: 860, idle_timestamp: 860 })).toBe('offline');
  expect(activityOf({})).toBe('offline');
  expect(activityOf({}, 3)).toBe('offline');
  expect(activityOf({}, ADA, true, 140_500)).toBe('offline');
  expect(activityOf({}, VIEWER)).toBe('active');
  expect(activityOf({}, VIEWER, false)).toBe('offline');
});

const lunch = { type: 'stream', channelId: 9, topic: 'Lunch' };
const key = presence.typingKey(lunch);

describe('A page that shows who types', () => {
  const typing = (op: string, fields: object = { stream_id: 9, topic: 'lunch' }, userId = ADA) =>
    page.receive({ type: 'typing', op, sender: { user_id: userId }, ...fields });
  const writers = (conversation = key) => [...(presence.typists.value.get(conversation)?.keys() ?? [])];

  beforeEach(() => {
    presence.typists.value = new Map();
    stop = presence.watchTyping();
  });

  test('Shows a person for fifteen seconds after their last event, and checks every two', async () => {
    typing('start');
    await page.pass(10_000);
    typing('start');
    await page.pass(14_000);
    expect(writers()).toEqual([ADA]);
    await page.pass(2_000);
    expect(writers()).toEqual([]);
  });

  test('Ignores an end without a start, and the viewer’s own typing', () => {
    const { value } = presence.typists;
    typing('stop');
    typing('start', { stream_id: 9, topic: 'lunch' }, VIEWER);
    page.receive({ type: 'message', message: { sender_id: ADA } });
    expect(presence.typists.value).toBe(value);
    typing('start');
    const begun = presence.typists.value;
    page.receive({ type: 'message', message: { sender_id: 3 } });
    expect(presence.typists.value).toBe(begun);
    expect(writers()).toEqual([ADA]);
  });

  test('Separates conversations: topics in any letter case, and people without the viewer', () => {
    typing('start', { recipients: [{ user_id: VIEWER }, { user_id: 12 }, { user_id: ADA }] });
    expect(writers('2,12')).toEqual([ADA]);
    typing('stop', { recipients: [{ user_id: 12 }, { user_id: VIEWER }, { user_id: ADA }] });
    expect(writers('2,12')).toEqual([]);
    typing('start', { recipients: [{ user_id: VIEWER }] });
    expect(writers(`${VIEWER}`)).toEqual([ADA]);
  });

  test('Shows a person who types to the viewer alone', () => {
    typing('start', { recipients: [{ user_id: VIEWER }, { user_id: ADA }] });
    expect(writers('2')).toEqual([ADA]);
  });

  test('Stops showing a person whose message came, in every conversation', () => {
    for (const userId of [ADA, 3])
      for (const topic of ['lunch', 'dinner']) typing('start', { stream_id: 9, topic }, userId);
    page.receive({ type: 'message', message: { sender_id: ADA } });
    expect([writers(), writers('9 dinner')]).toEqual([[3], [3]]);
  });
});

describe('A viewer who types', () => {
  const reported = () => page.calls.map(({ afterMs, params }) => `${afterMs / 1000} ${params.op}`);

  beforeEach(() => {
    stop = presence.stopTyping;
  });

  test('Causes another event after ten seconds, and a stop after five without input', async () => {
    presence.noteTyping(lunch);
    for (const ms of [4_000, 4_000, 2_000, 1]) {
      await page.pass(ms);
      presence.noteTyping(lunch);
    }
    await page.pass(5_000);
    expect(reported()).toEqual(['0 start', '10.001 start', '15.001 stop']);
  });

  test('Stops in one conversation as soon as they write in another', () => {
    presence.noteTyping(lunch);
    presence.noteTyping({ ...lunch, topic: 'lunch' });
    presence.noteTyping({ ...lunch, topic: 'dinner' });
    expect(page.calls.map(({ params }) => params)).toEqual([
      { op: 'start', type: 'stream', stream_id: '9', topic: 'Lunch' },
      { op: 'stop', type: 'stream', stream_id: '9', topic: 'Lunch' },
      { op: 'start', type: 'stream', stream_id: '9', topic: 'dinner' },
    ]);
  });

  test('Causes events with the ids of people, unless their settings for people say otherwise', () => {
    const user_settings = {
      send_stream_typing_notifications: false,
      send_private_typing_notifications: true,
    };
    page.set({ user_settings });
    presence.noteTyping(lunch);
    presence.noteTyping({ type: 'private', userIds: [3, ADA] });
    expect(page.calls.map(({ params }) => params)).toEqual([{ op: 'start', type: 'direct', to: '[3,2]' }]);
  });

  test('Causes one event at most if the service requests a pause', async () => {
    page.answer = () => ({ status: 429, body: { 'retry-after': 1 } });
    presence.noteTyping(lunch);
    await page.pass(4_000);
    expect(reported()).toEqual(['0 start']);
  });
});
