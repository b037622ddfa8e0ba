import { applyToCache, type Cache } from '../cache.ts';
import type { Snapshot } from '../wire.ts';
import type { MessageEvent, WireEvent } from '../wire-events.ts';
import { loosen, undecidedRuns } from './matches.ts';

/** The types of events that change messages, and which of them a narrow shows. */
export const MESSAGE_CHANGES = [
  'message',
  'update_message',
  'delete_message',
  'update_message_flags',
  'reaction',
  'submessage',
] as const;

/**
 * The cache after an answer was added to it that may be older than these events, which the cache has had before. A run of
 * which only the service can say whether it shows what came does not reach to the newest.
 */
export function catchUp(cache: Cache, events: WireEvent[], server: Snapshot, key?: string): Cache {
  const next = events.reduce((done, event) => applyToCache(done, [asKnown(done, event)], server), cache);
  const isUndecided = events.some(
    (event) => event.type === 'message' && undecidedRuns(next, wholeOf(event), server).includes(key ?? ''),
  );
  return key !== undefined && isUndecided ? loosen(next, [key]) : next;
}

const wholeOf = ({ message, flags }: MessageEvent): MessageEvent['message'] => ({ ...message, flags });

/** What became of a message since its event is not forgotten. */
function asKnown(cache: Cache, event: WireEvent): WireEvent {
  if (event.type !== 'message') return event;
  const message = cache.byId.get(wholeOf(event).id);
  return message ? { ...event, message, flags: message.flags } : event;
}
