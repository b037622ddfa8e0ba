/** What register may leave to events, in the order in which those come. */
export const arrearKinds = [
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
export type ArrearKind = (typeof arrearKinds)[number];

/** Ids of what a snapshot lacks and its queue tells first. */
export type Arrears = Partial<Record<ArrearKind, number[]>>;

export type Fields = Record<string, unknown>;
type Entry = Record<string, unknown>;

/** A list of a register reply whose entries can be told by events instead. */
interface Part {
  field: string;
  kind: ArrearKind;
  idOf: (entry: Entry) => number;
}

const partOf = (field: string, kind: ArrearKind, id: string): Part => ({
  field,
  kind,
  idOf: (entry) => Number(entry[id]),
});

/** What clients miss most stands first: that stays longest. */
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

/** Presences that take a larger share of a reply are left to the next request of the client for them. */
const PRESENCE_SHARE = 1 / 8;

interface Room {
  /** Bytes of the reply as a function writes it down. */
  bytes: number;
  /** The caller, without whose own record no client can begin. */
  userId: number;
}

/**
 * The fields of a register reply that fit, and what does not, for the queue to tell. Entries stay in their order; a
 * channel, or a user, is either in all of its lists or in none.
 */
export function postpone(all: Fields, { bytes, userId }: Room): { fields: Fields; arrears: Arrears } {
  if (writtenBytes(all) <= bytes) return { fields: all, arrears: {} };
  const fields = withoutPresences(all, bytes);
  const things = listThings(fields, userId);
  let left = bytes - writtenBytes(fields) + [...things.values()].reduce((sum, one) => sum + one.bytes, 0);
  const postponed = new Set<string>();
  let isFull = false;
  for (const [name, thing] of things) {
    isFull ||= thing.bytes > left;
    if (isFull) postponed.add(name);
    else left -= thing.bytes;
  }
  return { fields: without(fields, postponed), arrears: arrearsOf(things, postponed) };
}

/** The bytes of a value in a reply: it is JSON, and the function writes that down as JSON once more. */
export const writtenBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;

/** How many ids there are of all kinds. */
export const countArrears = (arrears: Arrears): number =>
  arrearKinds.reduce((sum, kind) => sum + (arrears[kind]?.length ?? 0), 0);

interface Thing {
  kind: ArrearKind;
  id: number;
  bytes: number;
}

/** Everything that can be postponed, by name, what stays longest first. */
function listThings(fields: Fields, userId: number): Map<string, Thing> {
  const things = new Map<string, Thing>();
  for (const part of parts)
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

const nameOf = (kind: ArrearKind, id: number): string => `${kind} ${id}`;

/** The caller, and the groups that every organization has. */
const isNeeded = ({ kind }: Part, entry: Entry, userId: number): boolean =>
  (kind === 'users' && entry.user_id === userId) || (kind === 'groups' && entry.is_system_group === true);

/** The entries of a list; statuses stand under the ids of their users. */
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

function arrearsOf(things: Map<string, Thing>, postponed: Set<string>): Arrears {
  const left = [...things].flatMap(([name, thing]) => (postponed.has(name) ? [thing] : []));
  const byKind = Map.groupBy(left, ({ kind }) => kind);
  return Object.fromEntries(
    [...byKind].map(([kind, group]) => [kind, group.map(({ id }) => id).sort((a, b) => a - b)]),
  );
}

/** A client that knows of no presence asks for all that have changed since then. */
const withoutPresences = (fields: Fields, bytes: number): Fields =>
  'presences' in fields && writtenBytes(fields.presences) > bytes * PRESENCE_SHARE
    ? { ...fields, presences: {}, presence_last_update_id: -1 }
    : fields;
