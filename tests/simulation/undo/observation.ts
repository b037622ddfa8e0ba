import type { Account } from '#shared/domain/users/user.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import { type ActionWorld, callOperation } from '#tests/simulation/actions/action-world.ts';
import { toRegister } from '#tests/simulation/people/requests.ts';
import { everything } from '#tests/simulation/people/wishes.ts';

/** The lasting attributes of a message for one person. */
export interface SeenMessage {
  channelId: number | undefined;
  topic: string;
  content: string;
  flags: string[];
}

/** One person's view: the reply of register, and their messages. */
export interface View {
  snapshot: SnapshotData;
  messages: Map<number, SeenMessage>;
}

/** The view of each active person, by name. */
export type Observation = Map<string, View>;

/** The results of a scenario. */
export interface Ending {
  seen: Observation;
  /** The entries since its first step. */
  log: LogEntry[];
}

/** Properties of a register reply about the queue, the clock, or messages, which are compared one by one. */
const PASSING = [
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presences',
  'presence_last_update_id',
  'max_message_id',
  'recent_private_conversations',
  'unread_msgs',
  'starred_messages',
];
const ALL = 5_000;

/** The current view of every active person. Nothing is under way. */
export async function observe(world: ActionWorld): Promise<Observation> {
  const observation: Observation = new Map();
  for (const person of world.people) {
    const view = await viewOf(world, person);
    if (view) observation.set(person.fullName, view);
  }
  return observation;
}

async function viewOf(world: ActionWorld, person: Account): Promise<View | undefined> {
  const services = world.services();
  const people = await callOperation(services, world.people[0] as Account, 'listUsers', {});
  const isActive = people.members.find(({ user_id: id }: SnapshotData) => id === person.userId)?.is_active;
  if (!isActive) return undefined;
  const snapshot = await callOperation(services, person, 'registerQueue', toRegister(everything));
  const listed = await callOperation(services, person, 'listMessages', {
    anchor: 'newest',
    num_before: ALL,
    num_after: 0,
    apply_markdown: false,
  });
  for (const name of PASSING) delete snapshot[name];
  return {
    snapshot: withoutTimes(snapshot),
    messages: new Map(
      (listed.messages as SnapshotData[]).map((message) => [
        message.id,
        {
          channelId: message.stream_id,
          topic: message.subject,
          content: message.content,
          flags: [...message.flags].sort(),
        },
      ]),
    ),
  };
}

/** When a preference was set says the same whatever else is lost. */
function withoutTimes(snapshot: SnapshotData): SnapshotData {
  const { user_topics: topics, muted_topics: muted } = snapshot;
  return {
    ...snapshot,
    user_topics: topics.map(({ last_updated: _at, ...rest }: SnapshotData) => rest),
    muted_topics: muted.map(([channel, topic]: [string, string]) => [channel, topic]),
  };
}

/** The differences of two observations. Messages that were sent since are not compared. */
export function compare(before: Observation, after: Observation): string[] {
  return [...before].flatMap(([name, view]) => {
    const now = after.get(name);
    if (!now) return [`${name} is gone`];
    return [
      ...Object.keys(view.snapshot).flatMap((field) =>
        differences(field, view.snapshot[field], now.snapshot[field]),
      ),
      ...[...view.messages].flatMap(([id, message]) =>
        differences(`message ${id}`, message, now.messages.get(id)),
      ),
    ].map((difference) => `${name}: ${difference}`);
  });
}

/** Lists are compared as sets: their order is not restored. */
function differences(path: string, before: unknown, after: unknown): string[] {
  const [was, is] = [canonical(before), canonical(after)];
  if (was === is) return [];
  const [old, now] = [byId(before), byId(after)];
  if (isRecord(old) && isRecord(now))
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) =>
      differences(`${path}.${name}`, old[name], now[name]),
    );
  return [`${path} was ${was} and is ${is}`];
}

const ID_NAMES = ['stream_id', 'user_id', 'id'];

/** A list of things that have ids as a record of them. */
function byId(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const name = ID_NAMES.find((idName) => value.every((element) => isRecord(element) && idName in element));
  return name === undefined || value.length === 0
    ? value
    : Object.fromEntries(value.map((element) => [element[name], element]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'nothing';
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${name}:${canonical(value[name])}`)}}`;
}
