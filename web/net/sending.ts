import { effect, signal } from '@preact/signals';
import {
  afterFailure,
  afterRegistering,
  allDue,
  duePending,
  type Ending,
  failed,
  nextDueMs,
  type Pending,
  redirect,
  redirected,
  type Sent,
} from '#web/state/feed/outbox.ts';
import { deletedIds } from '#web/state/messages.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { keyOfNarrow, narrowOf, toWire } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { ApiError, call, explain, Unreachable } from './api.ts';
import { checkSocket } from './events/follow.ts';
import { tryNow } from './events/patience.ts';
import { queueId } from './events/register.ts';
import { onEvent } from './hearing.ts';
import { keepOutbox, takeOverLeft } from './outbox-keeping.ts';
import { randomId } from './random-id.ts';
import { serviceNowMs } from './service-clock.ts';
import { cache, connection, generation, server, showNotice } from './store.ts';
import { listNear, locate } from './whereabouts.ts';

/** Own messages on their way. They are kept on this device too, until the service has them. */
export const outbox = signal<readonly Pending[]>([]);

/** The message that was sent last, until its author has seen it in its feed. */
export const lastSent = signal<Sent | undefined>(undefined);

let echo = 0;

/** A number after every known message, as the protocol names messages that have no id yet. */
function nextLocalId(): string {
  const newest = Math.max(0, ...cache.value.byId.keys(), Number(server.value.max_message_id) || 0);
  echo = (echo % 90) + 1;
  return (newest + echo / 100).toFixed(2);
}

const change = (id: string, to: (pending: Pending) => Pending): void => {
  outbox.value = outbox.value.map((pending) => (pending.id === id ? to(pending) : pending));
};

export const forget = (id: string): void => {
  outbox.value = outbox.value.filter((pending) => pending.id !== id);
};

/** Sends a message. It appears in the feed at once, and stays there with the reason if it fails. */
export function send(conversation: Conversation, content: string): void {
  const pending: Pending = {
    id: randomId(),
    idempotencyKey: randomId(),
    queueId,
    localId: nextLocalId(),
    userId: server.value.user_id,
    conversation,
    content,
    timestamp: serviceNowMs() / 1000,
    status: 'waiting',
    failures: 0,
    nearIds: listNear(conversation),
    isDoubtful: connection.value.status !== 'connected',
  };
  outbox.value = [...outbox.value, pending];
  pump();
}

/** Retries a waiting or failed message now. */
export function retry(id: string): void {
  change(id, ({ nextTryAtMs: _, ...pending }) => ({
    ...pending,
    status: 'waiting',
    failures: 0,
    isDoubtful: true,
  }));
  pump();
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends the messages that are due, and schedules itself for the next one. */
function pump(): void {
  const now = Date.now();
  for (const pending of duePending(outbox.value, now)) void deliver(pending);
  clearTimeout(timer);
  const nextMs = nextDueMs(outbox.value);
  if (nextMs !== undefined) timer = setTimeout(pump, Math.max(50, nextMs - now));
}

/**
 * One try. The parameters are the same at every try, since one key identifies one request; only a moved topic changes them,
 * and the service then refuses the key if it has the message.
 */
async function deliver(written: Pending): Promise<void> {
  const { id, idempotencyKey } = written;
  change(id, ({ nextTryAtMs: _, ...before }) => ({ ...before, status: 'sending' }));
  let pending = written;
  try {
    const placed = written.isDoubtful ? await settlePlace(written) : written;
    if (!placed) return;
    pending = placed;
    const reply = await call<{ id: number }>('POST', '/messages', paramsOf(pending), {
      idempotencyKey,
      tries: 1,
    });
    arrived(id, reply.id);
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 'IDEMPOTENCY_KEY_REUSED') await settleDoubt(pending);
    else
      change(id, (before) =>
        afterFailure(renewed(before, failure), endingOf(failure), Date.now(), Math.random()),
      );
  }
  pump();
}

/** The message at the present place of its topic; undefined if that is gone, which the message then says. */
async function settlePlace(pending: Pending): Promise<Pending | undefined> {
  const { id, conversation: from } = pending;
  const to = await locate(pending);
  if (!to) {
    change(id, (before) => failed(before, t('outbox.itsTopicIsGone')));
    pump();
    return undefined;
  }
  const isMoved = keyOfNarrow(narrowOf(from)) !== keyOfNarrow(narrowOf(to));
  const settled: Pending = {
    ...(isMoved ? redirected(pending, to) : pending),
    status: 'sending',
    isDoubtful: false,
  };
  change(id, () => settled);
  if (isMoved) redirectOutbox(from, to);
  return settled;
}

function endingOf(failure: unknown): Ending {
  if (failure instanceof Unreachable) return { kind: 'unreachable' };
  if (!(failure instanceof ApiError)) return { kind: 'refused', reason: explain(failure) };
  if (failure.status === 401) return { kind: 'signed-out' };
  if (failure.status === 429) return { kind: 'busy', pauseMs: failure.retryAfterMs };
  return failure.status >= 500 ? { kind: 'broken' } : { kind: 'refused', reason: explain(failure) };
}

/** A refusal changed nothing, so the next try is another request. After any other failure the message may have been taken. */
function renewed(pending: Pending, failure: unknown): Pending {
  return endingOf(failure).kind === 'refused' ? withNewKey(pending) : pending;
}

const withNewKey = ({ formerly: _, ...pending }: Pending): Pending => ({
  ...pending,
  idempotencyKey: randomId(),
  queueId,
});

/** The event may have come before the reply, and comes soon otherwise. */
function arrived(id: string, messageId: number): void {
  // The service answers again: events need not wait for the end of their pause.
  tryNow();
  noteSent(
    outbox.value.find((pending) => pending.id === id),
    messageId,
  );
  if (cache.value.byId.has(messageId)) {
    forget(id);
    return;
  }
  change(id, (pending) => ({ ...pending, status: 'sent', messageId }));
  setTimeout(() => {
    // Its event should have come. The row stays until it does, or until the feed has been fetched.
    if (outbox.value.some((pending) => pending.id === id)) checkSocket();
  }, EVENT_AFTER_MS);
}
const EVENT_AFTER_MS = 5_000;

function noteSent(pending: Pending | undefined, messageId: number): void {
  if (!pending) return;
  const { conversation, content, timestamp } = pending;
  lastSent.value = { messageId, conversation, content, timestamp };
}

/** Clocks of devices differ. */
const DOUBT_SECONDS = 300;

/**
 * A key belongs to one request of the session that first used it. After signing in again, or for a moved topic, the service
 * cannot say whether it took the message, so its conversations are looked at.
 */
async function settleDoubt(pending: Pending): Promise<void> {
  const { id, conversation, formerly } = pending;
  try {
    const found =
      (await findTaken(pending, conversation)) ?? (formerly && (await findTaken(pending, formerly)));
    if (found) arrived(id, found.id);
    else change(id, (before) => ({ ...withNewKey(before), status: 'waiting' }));
  } catch (failure) {
    change(id, (before) => afterFailure(before, endingOf(failure), Date.now(), Math.random()));
  }
}

async function findTaken(
  { content, timestamp, userId }: Pending,
  conversation: Conversation,
): Promise<Message | undefined> {
  const { messages } = await call<{ messages: Message[] }>('GET', '/messages', {
    narrow: [
      ...toWire(narrowOf(conversation), userId),
      { operator: 'sender', operand: userId, negated: false },
    ],
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  return messages.find((m) => m.content === content && m.timestamp > timestamp - DOUBT_SECONDS);
}

const recipientOf = (conversation: Conversation): Record<string, unknown> =>
  conversation.type === 'stream'
    ? { type: 'channel', to: conversation.channelId, topic: conversation.topic }
    : { type: 'direct', to: conversation.userIds };

const paramsOf = ({ conversation, content, localId, queueId: queue }: Pending): Record<string, unknown> => ({
  ...recipientOf(conversation),
  content,
  // A page that has not reached the service yet has no queue.
  ...(queue !== '' && { queue_id: queue, local_id: localId }),
  read_by_sender: true,
});

/**
 * Keeps the outbox on the device, takes a message out when its event came, and tries again when the connection is back.
 * Gives what ends it.
 */
export function watchOutbox(): () => void {
  const { user_id: userId } = server.value;
  outbox.value = outbox.value.filter((pending) => pending.userId === userId);
  const stopKeeping = effect(() => keepOutbox(userId, outbox.value));
  const ending = new AbortController();
  const take = (left: Pending[]): void => {
    if (left.length === 0) return;
    outbox.value = [...left, ...outbox.value];
    const count = left.filter(({ status }) => status === 'failed').length;
    if (count > 0) showNotice(t('actions.messagesNotSentBefore', { count }));
    pump();
  };
  takeOverLeft(userId, take, ending.signal);
  const stopHearing = onEvent('message', ({ local_message_id: localId, message }) => {
    const isIt = (pending: Pending): boolean =>
      pending.messageId === message.id || pending.localId === localId;
    noteSent(outbox.value.find(isIt), message.id);
    outbox.value = outbox.value.filter((pending) => !isIt(pending));
  });
  const stopDeletions = onEvent('delete_message', (event) => {
    const gone = deletedIds(event);
    outbox.value = outbox.value.filter(({ messageId = 0 }) => !gone.includes(messageId));
  });
  const stopRegistering = generation.subscribe(() => {
    outbox.value = afterRegistering(outbox.peek(), isMissing);
  });
  const stopWaking = connection.subscribe(({ status }) => {
    if (status !== 'connected') return;
    outbox.value = allDue(outbox.peek());
    pump();
  });
  return () => {
    ending.abort();
    stopKeeping();
    stopHearing();
    stopDeletions();
    stopRegistering();
    stopWaking();
    clearTimeout(timer);
  };
}

/** Whether a feed that reaches to the newest message lacks one that was sent. */
function isMissing(conversation: Conversation, messageId: number): boolean {
  const run = cache.peek().runs.get(keyOfNarrow(narrowOf(conversation)));
  return run?.hasNewest === true && !run.ids.includes(messageId);
}

/** Takes the messages that wait for a topic along to its new place. */
export function redirectOutbox(from: Conversation, to: Conversation): void {
  outbox.value = redirect(outbox.value, from, to);
}

/** Sends a message later; shows the reason of a refusal. */
export async function schedule(
  conversation: Conversation,
  content: string,
  atSeconds: number,
): Promise<boolean> {
  try {
    await call(
      'POST',
      '/scheduled_messages',
      { ...recipientOf(conversation), content, scheduled_delivery_timestamp: atSeconds },
      { idempotencyKey: randomId() },
    );
    return true;
  } catch (failure) {
    showNotice(t('actions.notScheduledReason', { reason: explain(failure) }));
    return false;
  }
}

/** HTML of a text as the service renders it. */
export async function preview(content: string): Promise<string> {
  return (await call<{ rendered: string }>('POST', '/messages/render', { content })).rendered;
}
