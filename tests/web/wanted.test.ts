import { expect, test } from 'vitest';
import { isWanted } from '#web/state/wanted.ts';
import type { Snapshot, Subscription } from '#web/state/wire.ts';
import { message, snapshot, topicPolicy, VIEWER } from './scene.ts';

type Settings = Partial<Snapshot['user_settings']>;

/** Whether a viewer with only these settings wants a notification of the system. */
const wants = (
  flags: string[],
  chosen: Settings,
  {
    channel = {},
    policy,
    sent = {},
  }: { channel?: Partial<Subscription>; policy?: number; sent?: object } = {},
): boolean => {
  const user_topics = policy === undefined ? [] : [topicPolicy('logo', policy)];
  const subscriptions = [{ stream_id: 9, name: 'design', is_muted: false, ...channel } as Subscription];
  const user_settings = chosen as Snapshot['user_settings'];
  const viewer = snapshot({ user_settings, user_topics, subscriptions });
  return isWanted(viewer, message(7, sent), flags, 'desktop');
};

const [MUTED, FOLLOWED] = [1, 3];
const PERSONAL: Settings = { enable_desktop_notifications: true };
const OF_CHANNELS: Settings = { enable_stream_desktop_notifications: true };
const WILDCARD = ['stream_wildcard_mentioned'];

test('No notification appears for a read message or the viewer’s own', () => {
  expect(wants([], OF_CHANNELS)).toBe(true);
  expect(wants(['read'], OF_CHANNELS)).toBe(false);
  expect(wants([], OF_CHANNELS, { sent: { sender_id: VIEWER } })).toBe(false);
});

test('A direct message, a mention and an alert word cause notifications unless all are turned off', () => {
  for (const isTold of [true, false]) {
    const chosen = { ...OF_CHANNELS, enable_desktop_notifications: isTold };
    expect(wants([], chosen, { sent: { type: 'private' } })).toBe(isTold);
    expect(wants(['mentioned'], chosen)).toBe(isTold);
    expect(wants(['has_alert_word'], chosen, { policy: MUTED })).toBe(isTold);
  }
});

test('The setting of a channel wins over that of all channels', () => {
  expect(wants([], OF_CHANNELS, { channel: { desktop_notifications: false } })).toBe(false);
  const off = { enable_stream_desktop_notifications: false };
  expect(wants([], off, { channel: { desktop_notifications: true } })).toBe(true);
});

test('A followed topic has settings of its own, for messages and for wildcards', () => {
  const followed = { policy: FOLLOWED };
  const off = { ...PERSONAL, enable_stream_desktop_notifications: false, wildcard_mentions_notify: false };
  expect(wants([], { ...off, enable_followed_topic_desktop_notifications: true }, followed)).toBe(true);
  expect(wants([], off, followed)).toBe(false);
  expect(wants([], { ...off, enable_followed_topic_desktop_notifications: true })).toBe(false);
  expect(wants(WILDCARD, off, followed)).toBe(false);
  const wildcards = { ...off, enable_followed_topic_wildcard_mentions_notify: true };
  expect(wants(WILDCARD, wildcards, followed)).toBe(true);
  expect(wants([], wildcards, followed)).toBe(false);
  expect(wants(WILDCARD, wildcards)).toBe(false);
});

test('A wildcard notifies if the channel or else the viewer turned it on, and nowhere that is muted', () => {
  const chosen = { ...PERSONAL, enable_stream_desktop_notifications: false, wildcard_mentions_notify: true };
  expect(wants(WILDCARD, chosen)).toBe(true);
  expect(wants([], chosen)).toBe(false);
  expect(wants(WILDCARD, chosen, { channel: { wildcard_mentions_notify: false } })).toBe(false);
  const off = { ...chosen, wildcard_mentions_notify: false };
  expect(wants(WILDCARD, off, { channel: { wildcard_mentions_notify: true } })).toBe(true);
  expect(wants(WILDCARD, chosen, { policy: MUTED })).toBe(false);
  expect(wants(WILDCARD, chosen, { channel: { is_muted: true } })).toBe(false);
  expect(wants([], OF_CHANNELS, { policy: MUTED })).toBe(false);
});

test('A sound has settings of its own, for personal messages, followed topics and channels', () => {
  const waysWanted = (flags: string[], settings: Settings, policy = 0) => {
    const user_settings = settings as Snapshot['user_settings'];
    const viewer = snapshot({ user_settings, user_topics: [topicPolicy('logo', policy)] });
    return (['sound', 'desktop'] as const).map((way) => isWanted(viewer, message(7), flags, way));
  };
  const off = { enable_desktop_notifications: false, enable_stream_desktop_notifications: false };
  const quiet = { ...off, enable_sounds: false, enable_stream_audible_notifications: false };
  expect(waysWanted(['mentioned'], { ...quiet, enable_sounds: true })).toEqual([true, false]);
  expect(waysWanted([], { ...quiet, enable_stream_audible_notifications: true })).toEqual([true, false]);
  const followed = {
    enable_followed_topic_audible_notifications: true,
    enable_followed_topic_desktop_notifications: false,
  };
  expect(waysWanted([], { ...quiet, ...followed }, FOLLOWED)).toEqual([true, false]);
});
