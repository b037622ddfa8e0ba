/** The parts of register that may be deferred to events, in the order of delivery. */
export const deferredKinds = [
  'users',
  'groups',
  'folders',
  'channels',
  'bots',
  'statuses',
  'drafts',
  'scheduled',
  'reminders',
  'snippets',
] as const;
export type DeferredKind = (typeof deferredKinds)[number];

/** Ids that a snapshot lacks; its queue delivers them first. */
export type DeferredThings = Partial<Record<DeferredKind, number[]>>;

export type Fields = Record<string, unknown>;
type Entry = Record<string, unknown>;

/** A list of a register reply whose entries can be delivered as events instead. */
interface Part {
  field: string;
  kind: DeferredKind;
  idOf: (entry: Entry) => number;
}

const partOf = (field: string, kind: DeferredKind, id: string): Part => ({
  field,
  kind,
  idOf: (entry) => Number(entry[id]),
});

/** The most important parts come first and are deferred last. */
const parts: Part[] = [
  partOf('subscriptions', 'channels', 'stream_id'),
  partOf('realm_users', 'users', 'user_id'),
  partOf('realm_user_groups', 'groups', 'id'),
  partOf('channel_folders', 'folders', 'id'),
  partOf('drafts', 'drafts', 'id'),
  partOf('scheduled_messages', 'scheduled', 'scheduled_message_id'),
  partOf('reminders', 'reminders', 'reminder_id'),
  partOf('saved_snippets', 'snippets', 'id'),
  partOf('realm_bots', 'bots', 'user_id'),
  partOf('user_status', 'statuses', 'userId'),
  partOf('unsubscribed', 'channels', 'stream_id'),
  partOf('never_subscribed', 'channels', 'stream_id'),
  partOf('streams', 'channels', 'stream_id'),
  partOf('realm_non_active_users', 'users', 'user_id'),
];

/** Content to read comes before the list of people. */
const partsForSpectators = parts.toSorted(
  (a, b) => Number(b.kind === 'channels') - Number(a.kind === 'channels'),
);

/** Presences that take a larger share of a reply are left to the client's next request for them. */
const PRESENCE_SHARE = 1 / 8;

interface Room {
  /** The size of the encoded reply. */
  bytes: number;
  /**
   * The caller, whose own record is always included. Anonymous callers have none; their channels are deferred
   * last.
   */
  userId?: number;
}

/**
 * Splits a register reply into the part that fits and the part that the queue delivers later. Entries stay in order; a
 * channel or user is either in all of its lists or in none.
 */
export function postpone(all: Fields, { bytes, userId }: Room): { fields: Fields; deferred: DeferredThings } {
  if (fits(all, bytes)) return { fields: all, deferred: {} };
  const fields = withoutPresences(all, bytes);
  const things = listThings(fields, userId);
  let left = bytes - writtenBytes(fields) + [...things.values()].reduce((sum, thing) => sum + thing.bytes, 0);
  const postponed = new Set<string>();
  let isFull = false;
  for (const [name, thing] of things) {
    isFull ||= thing.bytes > left;
    if (isFull) postponed.add(name);
    else left -= thing.bytes;
  }
  return { fields: without(fields, postponed), deferred: deferredOf(things, postponed) };
}

/** The bytes of a value in a reply, which is JSON encoded as a JSON string. */
export const writtenBytes = (value: unknown): number => bytesOfString(JSON.stringify(value));

const bytesOfString = (json: string): number => Buffer.byteLength(JSON.stringify(json)) - 2;

/** A character of JSON: a quotation mark is escaped, and the others take up to three bytes. */
const MOST_BYTES_OF_CHARACTER = 3;

/** Whether a value takes at most so many bytes in a reply; most take far fewer, and are not counted. */
function fits(value: unknown, bytes: number): boolean {
  const json = JSON.stringify(value);
  return json.length * MOST_BYTES_OF_CHARACTER <= bytes || bytesOfString(json) <= bytes;
}

/** The total number of ids. */
export const countDeferred = (deferred: DeferredThings): number =>
  deferredKinds.reduce((sum, kind) => sum + (deferred[kind]?.length ?? 0), 0);

interface Thing {
  kind: DeferredKind;
  id: number;
  bytes: number;
}

/** Everything that can be deferred, by name; the last one is deferred first. */
function listThings(fields: Fields, userId: number | undefined): Map<string, Thing> {
  const things = new Map<string, Thing>();
  for (const part of userId === undefined ? partsForSpectators : parts)
    for (const entry of entriesOf(fields, part)) {
      if (isNeeded(part, entry, userId)) continue;
      const id = part.idOf(entry);
      const name = nameOf(part.kind, id);
      const thing = things.get(name) ?? { kind: part.kind, id, bytes: 0 };
      thing.bytes += writtenBytes(entry) + 1;
      things.set(name, thing);
    }
  return things;
}

const nameOf = (kind: DeferredKind, id: number): string => `${kind} ${id}`;

/** The caller and the system groups are never deferred. */
const isNeeded = ({ kind }: Part, entry: Entry, userId: number | undefined): boolean =>
  (kind === 'users' && userId !== undefined && entry.user_id === userId) ||
  (kind === 'groups' && entry.is_system_group === true);

/** The entries of a list; statuses are keyed by user id. */
function entriesOf(fields: Fields, { field }: Part): Entry[] {
  const value = fields[field] ?? [];
  if (Array.isArray(value)) return value;
  return Object.entries(value as Record<string, Entry>).map(([userId, status]) => ({ ...status, userId }));
}

function without(fields: Fields, postponed: Set<string>): Fields {
  const kept = { ...fields };
  for (const part of parts) {
    const value = fields[part.field];
    if (value === undefined) continue;
    const stays = (id: number): boolean => !postponed.has(nameOf(part.kind, id));
    kept[part.field] = Array.isArray(value)
      ? value.filter((entry) => stays(part.idOf(entry)))
      : Object.fromEntries(Object.entries(value as object).filter(([userId]) => stays(Number(userId))));
  }
  return kept;
}

function deferredOf(things: Map<string, Thing>, postponed: Set<string>): DeferredThings {
  const left = [...things].flatMap(([name, thing]) => (postponed.has(name) ? [thing] : []));
  const byKind = Map.groupBy(left, ({ kind }) => kind);
  return Object.fromEntries(
    [...byKind].map(([kind, group]) => [kind, group.map(({ id }) => id).sort((a, b) => a - b)]),
  );
}

/** A client without presences requests all of them with its next poll. */
const withoutPresences = (fields: Fields, bytes: number): Fields =>
  'presences' in fields && writtenBytes(fields.presences) > bytes * PRESENCE_SHARE
    ? { ...fields, presences: {}, presence_last_update_id: -1 }
    : fields;
