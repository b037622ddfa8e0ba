import { batch } from '@preact/signals';
import { applyEvents } from '#web/state/apply.ts';
import { applyToCache } from '#web/state/cache.ts';
import { type Narrow, toWire } from '#web/state/narrow.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { t } from '#web/texts/texts.ts';
import { ApiError, call, explain } from './api.ts';
import { randomId } from './random-id.ts';
import { cache, server, showNotice, state } from './store.ts';

/** Does at once what an event will say later, so that the page answers without waiting. */
export function foresee(event: Record<string, unknown> & { type: string }): void {
  const before = state.value;
  if (!before) return;
  const events = [{ id: -1, ...event } as WireEvent];
  batch(() => {
    state.value = applyEvents(before, events);
    cache.value = applyToCache(cache.value, events, before.server);
  });
}

const waiting = new Set<number>();
let isDue = false;
const TOGETHER_MS = 800;
const MOST_AT_ONCE = 1_000;

/** Marks messages as read: on the page now, at the service a moment later, many in one call. */
export function markRead(ids: number[]): void {
  const fresh = ids.filter((id) => !waiting.has(id));
  if (fresh.length === 0) return;
  for (const id of fresh) waiting.add(id);
  foresee({ type: 'update_message_flags', op: 'add', flag: 'read', messages: fresh });
  sendSoon();
}

function sendSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(sendRead, TOGETHER_MS);
}

async function sendRead(): Promise<void> {
  const messages = [...waiting].slice(0, MOST_AT_ONCE);
  isDue = false;
  try {
    await call(
      'POST',
      '/messages/flags',
      { messages, op: 'add', flag: 'read' },
      { idempotencyKey: randomId() },
    );
  } catch (failure) {
    if (isPassing(failure)) {
      // The page shows them as read; the service is notified as soon as possible.
      isDue = true;
      setTimeout(sendRead, AGAIN_MS);
      return;
    }
    console.warn('Messages could not be marked as read', explain(failure));
  }
  for (const id of messages) waiting.delete(id);
  if (waiting.size > 0) sendSoon();
}

const AGAIN_MS = 10_000;

const isPassing = (failure: unknown): boolean =>
  !(failure instanceof ApiError) || failure.status === 429 || failure.status >= 500;

interface Batch {
  last_processed_id: number | null;
  found_newest: boolean;
}

/** Marks all of a narrow as read, or from a message on as unread, in as many calls as it takes. */
export async function markNarrow(
  narrow: Narrow,
  op: 'add' | 'remove',
  from: number | 'oldest',
): Promise<void> {
  const unread = { operator: 'is', operand: 'unread', negated: false };
  const terms = toWire(narrow, server.value.user_id);
  let anchor: number | string = from;
  try {
    for (;;) {
      const reply: Batch = await call<Batch>('POST', '/messages/flags/narrow', {
        anchor,
        include_anchor: anchor === from,
        num_before: 0,
        num_after: MOST_AT_ONCE,
        narrow: op === 'add' ? [...terms, unread] : terms,
        op,
        flag: 'read',
      });
      if (reply.found_newest || reply.last_processed_id === null) return;
      anchor = reply.last_processed_id;
    }
  } catch (failure) {
    showNotice(t('actions.notMarkedReason', { reason: explain(failure) }));
  }
}
