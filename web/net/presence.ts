import { signal } from '@preact/signals';
import { foldName } from '#web/state/names.ts';
import type { Conversation } from '#web/state/narrow.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { TypingEvent } from '#web/state/wire-events.ts';
import type { Presence } from '#web/state/wire-people.ts';
import { call } from './api.ts';
import { onEvent } from './hearing.ts';
import { foresee } from './reading.ts';
import { obstacleTo } from './rights.ts';
import { serviceNowMs } from './service-clock.ts';
import { server } from './store.ts';

/** Who writes now: by conversation, until when, in milliseconds since 1970. */
export const typists = signal<ReadonlyMap<string, ReadonlyMap<number, number>>>(new Map());

export const typingKey = (conversation: Conversation): string =>
  conversation.type === 'stream'
    ? `${conversation.channelId} ${foldName(conversation.topic)}`
    : [...conversation.userIds].sort((a, b) => a - b).join(',');

function conversationOfEvent(event: TypingEvent, ownId: number): Conversation {
  if (event.stream_id !== undefined)
    return { type: 'stream', channelId: event.stream_id, topic: event.topic ?? '' };
  const ids = (event.recipients ?? []).map(({ user_id }) => user_id).filter((id) => id !== ownId);
  return { type: 'private', userIds: ids.length > 0 ? ids : [ownId] };
}

/** Follows who types; gives what ends it. */
export function watchTyping(): () => void {
  const stop = onEvent('typing', (typing) => {
    const { user_id: ownId, server_typing_started_expiry_period_milliseconds: lastsMs } = server.value;
    const userId = typing.sender.user_id;
    if (userId === ownId) return;
    note(
      typingKey(conversationOfEvent(typing, ownId)),
      userId,
      typing.op === 'start' ? Date.now() + lastsMs : 0,
    );
  });
  const stopMessages = onEvent('message', ({ message }) => {
    for (const key of typists.value.keys()) note(key, message.sender_id, 0);
  });
  const timer = setInterval(dropExpired, 2_000);
  return () => {
    stop();
    stopMessages();
    clearInterval(timer);
  };
}

function note(key: string, userId: number, untilMs: number): void {
  const known = typists.value.get(key);
  if (untilMs === 0 && !known?.has(userId)) return;
  const next = new Map(known);
  if (untilMs === 0) next.delete(userId);
  else next.set(userId, untilMs);
  typists.value = new Map(typists.value).set(key, next);
}

function dropExpired(): void {
  for (const [key, all] of typists.value)
    for (const [userId, untilMs] of all) if (untilMs < Date.now()) note(key, userId, 0);
}

/** The conversation whose readers were notified that the viewer types, and when; undefined if none was. */
let begun: { conversation: Conversation; atMs: number } | undefined;
let stopTimer: ReturnType<typeof setTimeout> | undefined;

/** The viewer wrote something in a conversation. */
export function noteTyping(conversation: Conversation): void {
  const { user_settings: settings } = server.value;
  const isWanted =
    conversation.type === 'stream'
      ? settings.send_stream_typing_notifications
      : settings.send_private_typing_notifications;
  if (!isWanted) return;
  const now = Date.now();
  if (begun && typingKey(begun.conversation) !== typingKey(conversation)) stopTyping();
  if (!begun || now - begun.atMs > server.value.server_typing_started_wait_period_milliseconds) {
    begun = { conversation, atMs: now };
    sendTyping(conversation, 'start');
  }
  clearTimeout(stopTimer);
  stopTimer = setTimeout(stopTyping, server.value.server_typing_stopped_wait_period_milliseconds);
}

/** The viewer sent or abandoned the text, or may write there no longer: then the service accepts nothing about it. */
export function stopTyping(): void {
  if (!begun) return;
  if (obstacleTo(begun.conversation) === undefined) sendTyping(begun.conversation, 'stop');
  begun = undefined;
}

function sendTyping(conversation: Conversation, op: 'start' | 'stop'): void {
  const place =
    conversation.type === 'stream'
      ? { type: 'stream', stream_id: conversation.channelId, topic: conversation.topic }
      : { type: 'direct', to: conversation.userIds };
  // Typing notifications are best effort.
  call('POST', '/typing', { op, ...place }, { tries: 1 }).catch(() => undefined);
}

/** The time of now, to the minute; whether people are active depends on it. */
export const clock = signal(serviceNowMs());
const IDLE_MS = 5 * 60_000;
let lastInputMs = Date.now();
let lastUpdateId: number;

interface PresenceReply {
  presences?: Record<string, Presence>;
  presence_last_update_id?: number;
}

async function ping(isNewInput: boolean): Promise<void> {
  const isActive = document.hasFocus() && Date.now() - lastInputMs < IDLE_MS;
  clock.value = serviceNowMs();
  const reply = await call<PresenceReply>(
    'POST',
    '/users/me/presence',
    {
      status: isActive ? 'active' : 'idle',
      new_user_input: isNewInput,
      ping_only: false,
      slim_presence: true,
      last_update_id: lastUpdateId,
    },
    { tries: 1 },
  ).catch(() => undefined);
  if (reply?.presence_last_update_id !== undefined) lastUpdateId = reply.presence_last_update_id;
  if (reply?.presences && Object.keys(reply.presences).length > 0)
    foresee({ type: 'presence', presences: reply.presences });
}

/** Register already listed the present people, so the first report may come after the first page. */
const FIRST_PING_MS = 1_000;

/** Reports the viewer's presence once a minute and updates the others'; returns a function that stops this. */
export function tellPresence(): () => void {
  lastUpdateId = -1;
  let isNewInput = true;
  const onInput = (): void => {
    lastInputMs = Date.now();
    isNewInput = true;
  };
  const tick = (): void => {
    void ping(isNewInput);
    isNewInput = false;
  };
  const first = setTimeout(tick, FIRST_PING_MS);
  const timer = setInterval(tick, server.value.server_presence_ping_interval_seconds * 1000);
  const listening = new AbortController();
  for (const type of ['keydown', 'pointerdown', 'focus'])
    window.addEventListener(type, onInput, { signal: listening.signal });
  // A device that wakes may be at another place, on another day.
  const look = (): void => {
    clock.value = serviceNowMs();
  };
  window.addEventListener('focus', look, { signal: listening.signal });
  document.addEventListener('visibilitychange', look, { signal: listening.signal });
  return () => {
    clearTimeout(first);
    clearInterval(timer);
    listening.abort();
  };
}

export type Activity = 'active' | 'idle' | 'offline';

/** Whether a person is at their computer. */
export function activityOf(snapshot: Snapshot, userId: number, nowMs: number): Activity {
  const presence = snapshot.presences[userId];
  const since = nowMs / 1000 - snapshot.server_presence_offline_threshold_seconds;
  if (userId === snapshot.user_id) return snapshot.user_settings.presence_enabled ? 'active' : 'offline';
  if ((presence?.active_timestamp ?? 0) > since) return 'active';
  return (presence?.idle_timestamp ?? 0) > since ? 'idle' : 'offline';
}
