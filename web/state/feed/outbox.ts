import { t } from '#web/texts/texts.ts';
import { type Conversation, keyOfNarrow, narrowOf } from '../narrow.ts';

/** A message on its way: shown at its future place until its event arrives. */
export interface Pending {
  id: string;
  /** The same for all tries, so that the service takes the message once. */
  idempotencyKey: string;
  /** The queue that receives `localId`. Both stay as at the first try: a key identifies one request. */
  queueId: string;
  localId: string;
  userId: number;
  conversation: Conversation;
  content: string;
  /** When it was written, in seconds since 1970. */
  timestamp: number;
  /** `waiting` for its turn or its next try; `sent` until it is in the feed; `failed` until the viewer decides. */
  status: 'waiting' | 'sending' | 'sent' | 'failed';
  failures: number;
  /** In milliseconds since 1970, of a message that waits after a failure. */
  nextTryAtMs?: number;
  /** Why it waits or failed, in a sentence. */
  reason?: string;
  /** The service's id, once sent. */
  messageId?: number;
  /** The newest messages of its topic when it was written. */
  nearIds?: readonly number[];
  /** Whether its topic may have been moved since without this page's knowledge: a try failed, or its page was closed. */
  isDoubtful?: boolean;
  /** Its first conversation, if the topic was moved since: an earlier try may have succeeded there. */
  formerly?: Conversation;
}

/** Why a try failed to send the message. */
export type Ending =
  /** No answer came. */
  | { kind: 'unreachable' }
  /** The service requires a pause. */
  | { kind: 'busy'; pauseMs: number }
  /** The service failed. */
  | { kind: 'broken' }
  /** The session is over. */
  | { kind: 'signed-out' }
  | { kind: 'refused'; reason: string };

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 20_000;
/** After this many failures the client does not retry until the viewer does. */
const MOST_FAILURES = 8;

const conversationKey = ({ conversation }: Pending): string => keyOfNarrow(narrowOf(conversation));

/**
 * The messages to send now. Messages of one conversation go one after another, which keeps the order in which they
 * were written; one that failed lets the others pass.
 */
export function duePending(outbox: readonly Pending[], nowMs: number): Pending[] {
  const busy = new Set<string>();
  return outbox.filter((pending) => {
    if (pending.status !== 'waiting' && pending.status !== 'sending') return false;
    const key = conversationKey(pending);
    const isFirst = !busy.has(key);
    busy.add(key);
    return isFirst && pending.status === 'waiting' && (pending.nextTryAtMs ?? 0) <= nowMs;
  });
}

/** When the next message is due, in milliseconds since 1970; undefined where none waits for a time. */
export function nextDueMs(outbox: readonly Pending[]): number | undefined {
  const times = outbox.flatMap(({ status, nextTryAtMs }) =>
    status === 'waiting' && nextTryAtMs !== undefined && Number.isFinite(nextTryAtMs) ? [nextTryAtMs] : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The message after a try that did not succeed. `fraction` is a random number from 0 to 1. */
export function afterFailure(pending: Pending, ending: Ending, nowMs: number, fraction: number): Pending {
  const failures = pending.failures + 1;
  const grown = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pending.failures) * (0.5 + fraction / 2);
  const wait = (pauseMs: number, reason: string): Pending => ({
    ...pending,
    failures,
    status: 'waiting',
    nextTryAtMs: nowMs + pauseMs,
    reason,
    isDoubtful: true,
  });
  switch (ending.kind) {
    case 'unreachable':
      return wait(grown, t('outbox.noConnection'));
    case 'busy':
      return wait(Math.max(ending.pauseMs, grown), t('outbox.theServiceAsksForA'));
    case 'signed-out':
      return wait(Number.POSITIVE_INFINITY, t('outbox.youAreSignedOut'));
    case 'broken':
      if (failures < MOST_FAILURES) return wait(grown, t('outbox.theServiceHasAProblem'));
      return failed({ ...pending, failures }, t('outbox.theServiceHasAProblemThat'));
    default:
      return failed({ ...pending, failures }, ending.reason);
  }
}

export const failed = ({ nextTryAtMs: _, ...pending }: Pending, reason: string): Pending => ({
  ...pending,
  status: 'failed',
  reason,
});

/** Makes every waiting message due, as when the connection is back. */
export const allDue = (outbox: readonly Pending[]): readonly Pending[] =>
  outbox.some(({ nextTryAtMs }) => nextTryAtMs !== undefined)
    ? outbox.map(({ nextTryAtMs: _, ...pending }) => pending)
    : outbox;

/** A message that was left this long by a page that was closed is not sent without asking. */
const FRESH_SECONDS = 10 * 60;

/** A message that a closed page left behind, as the page that finds it takes it over. */
export function takenOver(pending: Pending, nowMs: number): Pending {
  const isFresh = nowMs / 1000 - pending.timestamp < FRESH_SECONDS;
  const { nextTryAtMs: _, ...rest } = pending;
  if (pending.status === 'failed') return pending;
  if (isFresh) return { ...rest, status: 'waiting', failures: 0, isDoubtful: true };
  return failed(pending, t('outbox.thePageWasClosedBefore'));
}

/** The message for the place to which its topic was moved. */
export const redirected = (pending: Pending, to: Conversation): Pending => ({
  ...pending,
  conversation: to,
  formerly: pending.formerly ?? pending.conversation,
});

/** The outbox with the messages of a topic that are not on their way at its new place. */
export function redirect(
  outbox: readonly Pending[],
  from: Conversation,
  to: Conversation,
): readonly Pending[] {
  const key = keyOfNarrow(narrowOf(from));
  const isMeant = (pending: Pending): boolean =>
    conversationKey(pending) === key && (pending.status === 'waiting' || pending.status === 'failed');
  return outbox.some(isMeant)
    ? outbox.map((pending) => (isMeant(pending) ? redirected(pending, to) : pending))
    : outbox;
}

/** A message of the viewer that the service has taken. */
export interface Sent {
  messageId: number;
  conversation: Conversation;
  content: string;
  /** When it was written, in seconds since 1970. */
  timestamp: number;
}

/** The own message that the strip above the composer speaks of, since its row is out of sight. */
export type Strip = { kind: 'pending'; pending: Pending } | { kind: 'sent'; sent: Sent };

/**
 * The content of a conversation's strip: a refusal first, then the latest message on its way, then the one
 * that was sent last. Undefined if the end of the feed is in sight, where all of them have their rows.
 */
export function stripOf(
  conversation: Conversation,
  outbox: readonly Pending[],
  sent: Sent | undefined,
  isEndInSight: boolean,
): Strip | undefined {
  if (isEndInSight) return undefined;
  const key = keyOfNarrow(narrowOf(conversation));
  const here = pendingOf(key, outbox).filter(({ status }) => status !== 'sent');
  const pending = here.find(({ status }) => status === 'failed') ?? here.at(-1);
  if (pending) return { kind: 'pending', pending };
  return sent && keyOfNarrow(narrowOf(sent.conversation)) === key ? { kind: 'sent', sent } : undefined;
}

/** The messages on their way to a conversation, by the key of its narrow. */
export const pendingOf = (key: string, outbox: readonly Pending[]): Pending[] =>
  outbox.filter((pending) => conversationKey(pending) === key);

/**
 * The outbox after a new registration. The new state includes messages that were sent before, so only those stay
 * whose feed was fetched and does not show them yet.
 */
export const afterRegistering = (
  outbox: readonly Pending[],
  isMissing: (conversation: Conversation, messageId: number) => boolean,
): readonly Pending[] => {
  const left = outbox.filter(
    ({ conversation, messageId }) => messageId === undefined || isMissing(conversation, messageId),
  );
  return left.length === outbox.length ? outbox : left;
};
