import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { HttpReply } from '#shared/api/http.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { endOfPosition, positionOfEventId } from '#shared/events/event-id.ts';
import {
  INTERNAL_KEY_ENDED,
  INTERNAL_QUEUE_REMOVED,
  INTERNAL_SESSION_ENDED,
} from '#shared/events/stored-fields.ts';
import type { Item } from '#shared/table/table.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';

/** No client gets to see them. */
const INTERNAL = new Set<string>([INTERNAL_KEY_ENDED, INTERNAL_QUEUE_REMOVED, INTERNAL_SESSION_ENDED]);

/** The outcomes of each operation since the last look: the events that it caused, and the codes of its errors. */
const outcomes = new Map<string, Set<string>>();
/** The events that operations caused and do not declare. */
const undeclared = new Set<string>();

/** Which operation wrote each position of a log. */
export type Causes = Map<number, string>;

/** Takes a note of an entry of the log that an operation wrote, or a job that it left behind. */
export function noteEntry(cause: string, { message, events = [] }: Item): void {
  if (message) noteEvent(cause, { type: 'message' });
  for (const { payload } of events as LogEvent[]) noteEvent(cause, payload);
}

/** Records the answer: codes of errors, events of polls, some of which are computed when they are read. */
export function noteAnswer(operation: string, answer: unknown, causes: Causes = new Map()): void {
  const { statusCode = 0, body = '' } = (answer ?? {}) as Partial<HttpReply>;
  if (!body.startsWith('{')) return;
  if (statusCode >= 400) note(operation, String(JSON.parse(body).code));
  if (statusCode !== 200 || operation !== 'getEvents') return;
  for (const event of JSON.parse(body).events as (AnyPayload & { id: number })[]) {
    const position = positionOfEventId(event.id);
    if (event.type === 'heartbeat') note(operation, event.type);
    else if (event.id <= endOfPosition(position)) note(causes.get(position) ?? '', nameOf(event));
  }
}

function noteEvent(cause: string, event: AnyPayload): void {
  const endpoint = (endpoints as Record<string, AnyEndpoint>)[cause];
  if (!endpoint || INTERNAL.has(event.type)) return;
  const name = nameOf(event);
  note(cause, name);
  if (!mayEmit(endpoint, name)) undeclared.add(`${cause} emits ${name}`);
}

const nameOf = ({ type, op }: AnyPayload): string => (op ? `${type}/${op}` : type);

/** Events that may come with an event, depending on the earlier state. */
const COMES_WITH = new Map([
  // A message may be the first of its channel.
  ['stream/update', ['message']],
  // A late job of a deactivation finds the account active again, and the other way round.
  ['subscription/add', ['subscription/peer_remove']],
  ['subscription/peer_add', ['subscription/peer_remove']],
  ['subscription/peer_remove', ['subscription/peer_add']],
]);

const mayEmit = ({ emits }: { emits: string[] }, name: string): boolean =>
  emits.includes(name) || (COMES_WITH.get(name) ?? []).some((other) => emits.includes(other));

function note(operation: string, outcome: string): void {
  outcomes.set(operation, (outcomes.get(operation) ?? new Set()).add(outcome));
}

/** Events that operations emitted without declaring them, once. */
export function takeUndeclared(): string[] {
  const all = [...undeclared];
  undeclared.clear();
  return all;
}

/** The outcomes of each operation, once. */
export function takeOutcomes(): Map<string, Set<string>> {
  const all = new Map(outcomes);
  outcomes.clear();
  return all;
}
