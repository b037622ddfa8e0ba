import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Message } from '#web/state/wire-messages.ts';
import { call } from './api.ts';
import { onEvent } from './hearing.ts';
import { cache } from './store.ts';

/** Messages that lists of conversations show the words of, by id. */
const known = signal<ReadonlyMap<number, Message>>(new Map());
const asked = new Set<number>();
const MOST_AT_ONCE = 200;
const MOST_KEPT = 2_000;

function keepMessages(messages: readonly Message[]): void {
  const next = new Map(known.value);
  for (const message of messages) next.set(message.id, message);
  known.value = next.size > MOST_KEPT ? new Map([...next].slice(-MOST_KEPT)) : next;
}

async function loadMessages(ids: readonly number[]): Promise<void> {
  const missing = ids.filter((id) => !asked.has(id) && !known.value.has(id) && !cache.value.byId.has(id));
  for (let from = 0; from < missing.length; from += MOST_AT_ONCE) {
    const part = missing.slice(from, from + MOST_AT_ONCE);
    for (const id of part) asked.add(id);
    const reply = await call<{ messages: Message[] }>('GET', '/messages', {
      message_ids: part,
      apply_markdown: true,
      client_gravatar: true,
      allow_empty_topic_name: true,
    }).catch(() => undefined);
    if (reply) keepMessages(reply.messages);
    else for (const id of part) asked.delete(id);
  }
}

/** The messages of these ids, as far as they are known; the others are fetched. */
export function useMessages(ids: readonly number[]): (id: number) => Message | undefined {
  const key = ids.join();
  useEffect(() => void loadMessages(ids), [key]);
  useEffect(() => onEvent('message', ({ message }) => keepMessages([message])), []);
  const [all, cached] = [known.value, cache.value.byId];
  return (id) => cached.get(id) ?? all.get(id);
}
