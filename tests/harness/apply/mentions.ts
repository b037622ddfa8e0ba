import { ascending, type SnapshotData } from './snapshot-data.ts';
import { isMuted } from './topics.ts';

/** How a message calls on the reader: by name, by a wildcard, or so that the service counted it. */
type Call = 'name' | 'wildcard' | 'counted';

const calls = new WeakMap<SnapshotData, Map<number, Call>>();

function callsOf(state: SnapshotData): Map<number, Call> {
  const counted: number[] = state.unread_msgs.mentions;
  const known = calls.get(state) ?? new Map(counted.map((id): [number, Call] => [id, 'counted']));
  calls.set(state, known);
  return known;
}

/** A message came or changed, with these flags. */
export function noteCall(state: SnapshotData, id: number, flags: string[]): void {
  const known = callsOf(state);
  if (flags.includes('mentioned')) known.set(id, 'name');
  else if (flags.some((flag) => flag.endsWith('wildcard_mentioned'))) known.set(id, 'wildcard');
  else known.delete(id);
}

/** A message became unread, and the service says whether it counts. */
export function noteCounted(state: SnapshotData, id: number, isCounted: boolean): void {
  const known = callsOf(state);
  if (!isCounted) known.delete(id);
  else if (!known.has(id)) known.set(id, 'counted');
}

/** Of what is unread, what calls on the reader; wildcards only where they hear of the topic. */
export function recountMentions(state: SnapshotData): void {
  const known = callsOf(state);
  const { pms, huddles, streams } = state.unread_msgs;
  const counts = (isHeard: boolean) => (id: number) =>
    known.has(id) && (isHeard || known.get(id) !== 'wildcard');
  state.unread_msgs.mentions = [...pms, ...huddles, ...streams]
    .flatMap((one: SnapshotData) =>
      one.unread_message_ids.filter(counts(one.stream_id === undefined || !isMuted(state, one))),
    )
    .sort(ascending);
}
