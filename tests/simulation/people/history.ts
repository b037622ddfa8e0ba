import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';
import type { Listener, Wishes } from './journal.ts';
import { Society } from './society.ts';
import { namesSeenBy } from './telling.ts';

/** An event that a client should get: its position in the log, and its content. */
export type Expected = string;

/** The events of the whole log that a queue should have delivered. */
export interface Expectation {
  /** One line for each event, in order. */
  lines: Expected[];
  /** If the state of the read decides too: these events there, none or several, are judged by the snapshots. */
  loose: Map<number, string[]>;
}

/** A user who becomes visible comes with the data that is known of them by then. */
const WITH_NEWCOMERS = ['user_status', 'presence'];
/** Another role shows addresses and bots; archived channels come back as they are. */
const WITH_ROLE = ['realm_user/update', 'realm_bot/add', 'realm_bot/delete'];
/** The right of a recipient to read a message is judged by the snapshots. */
const WITH_CHANGE = ['update_message', 'delete_message', 'update_message_flags/add'];
/** Which starred messages one may read now is judged by the snapshots. */
const WITH_ACCESS = ['update_message_flags/add', 'update_message_flags/remove'];
/** A typing event may come or not, by the reader's settings at the time of the read. */
const WITH_TYPING = ['typing/start', 'typing/stop', 'typing_edit_message/start', 'typing_edit_message/stop'];
const WITH_CHANNEL = ['stream/create', 'subscription/peer_add', 'subscription/add', 'subscription/remove'];

export function expectedEvents(
  log: LogEntry[],
  listener: Listener,
  start: number,
  founders: Account[],
): Expectation {
  const society = new Society(founders);
  const { userId } = listener.account;
  const lines: Expected[] = [];
  const loose = new Map<number, string[]>();
  const deleted = new Set(log.flatMap(deletedBy));
  const wishesChangedAt = log.findLast((entry) => changesTyping(entry, userId))?.position ?? 0;
  for (const entry of log) {
    const { position } = entry;
    const before = society.visibleUsersOf(userId);
    society.apply(entry);
    if (position <= start || isMarkAll(entry)) continue;
    const looseHere = looseTypes(entry, listener);
    const [gained, lost] = turnOfVisibility(before, society, userId);
    if (position < wishesChangedAt) looseHere.push(...WITH_TYPING);
    if (gained.length > 0) looseHere.push(...WITH_NEWCOMERS);
    // A poll that came in time got it, one that came late did not.
    if (deleted.has(position)) looseHere.push('message');
    if (looseHere.length > 0) loose.set(position, looseHere);
    const { capabilities = {} } = listener.wishes;
    const expected = [
      ...gained.map(() => 'realm_user/add'),
      ...eventsOf(withoutGained(entry, gained), listener, society),
      ...lost.flatMap(() => [
        'realm_user/remove',
        ...(capabilities.user_list_incomplete ? [] : ['realm_user/add']),
      ]),
    ];
    lines.push(
      ...expected
        .filter((name) => wants(listener.wishes, name.split('/')[0] ?? ''))
        .filter((name) => !looseHere.includes(name))
        .map((name) => `${position} ${name}`),
      ...messageOf(entry, listener, society),
    );
  }
  return { lines, loose };
}

/** The messages that an entry deletes. */
const deletedBy = ({ events }: LogEntry): number[] =>
  events.flatMap(({ payload }) =>
    payload.type === 'delete_message' ? (payload.message_ids as number[]) : [],
  );

/** Such an entry becomes as many events as its unread messages need. The snapshots judge them. */
export const isMarkAll = ({ events }: LogEntry): boolean =>
  events.some(({ payload }) => 'unreadAfter' in payload);

const wants = ({ eventTypes }: Wishes, type: string): boolean => eventTypes?.includes(type) ?? true;

/** A user who becomes visible by the entry that creates them comes once. */
const withoutGained = (entry: LogEntry, gained: number[]): LogEntry => ({
  ...entry,
  events: entry.events.filter(
    ({ payload }) =>
      !(payload.type === 'realm_user' && payload.op === 'add' && gained.includes(payload.user.userId)),
  ),
});

const eventsOf = (
  { events, position }: LogEntry,
  { account, wishes }: Listener,
  society: Society,
): string[] =>
  events
    .filter(({ audience }) => society.belongsTo(audience, account.userId, position))
    .flatMap((event) => namesSeenBy(event, { userId: account.userId, wishes, society }));

function looseTypes({ events }: LogEntry, { account: { userId }, wishes }: Listener): string[] {
  const isOwnRole = ({ type, person }: AnyPayload): boolean =>
    type === 'realm_user' &&
    'role' in ((person ?? {}) as object) &&
    (person as { user_id: number }).user_id === userId;
  const isReturn = ({ property, value, type }: AnyPayload): boolean =>
    type === 'stream' &&
    property === 'is_archived' &&
    value === false &&
    !wishes.capabilities?.archived_channels;
  // A former subscriber gets the own subscription of a shown channel, and others its subscribers.
  const isShown = (payload: AnyPayload): boolean => 'appeared' in payload || 'revealed' in payload;
  const payloads = events.map(({ payload }) => payload);
  return [
    ...(payloads.some(isOwnRole) ? WITH_ROLE : []),
    ...(payloads.some((payload) => isOwnRole(payload) || changesAccess(payload)) ? WITH_ACCESS : []),
    ...(payloads.some((payload) => isReturn(payload)) ? ['stream/update', ...WITH_CHANNEL] : []),
    ...(payloads.some((payload) => isShown(payload)) ? WITH_CHANNEL : []),
    ...(payloads.some(({ type }) => type === 'update_message') ? WITH_CHANGE : []),
    ...(payloads.some(({ type }) => type === 'delete_message') ? ['delete_message'] : []),
  ];
}

const changesAccess = ({ type, property }: AnyPayload): boolean =>
  type === 'subscription' || (type === 'stream' && property === 'invite_only');

const changesTyping = ({ events }: LogEntry, userId: number): boolean =>
  events.some(
    ({ audience, payload }) =>
      'property' in payload &&
      payload.property === 'receives_typing_notifications' &&
      audience.kind === 'users' &&
      audience.userIds.includes(userId),
  );

/** The people who become visible by an entry, and the people who become invisible. */
function turnOfVisibility(
  before: Set<number> | undefined,
  society: Society,
  userId: number,
): [number[], number[]] {
  const after = society.visibleUsersOf(userId);
  if (!before && !after) return [[], []];
  const people = society.everyone.filter((one) => !society.isBot(one));
  const isIn = (visibleUsers: Set<number> | undefined, one: number): boolean =>
    visibleUsers?.has(one) ?? true;
  return [
    people.filter((one) => isIn(after, one) && !isIn(before, one)),
    people.filter((one) => isIn(before, one) && !isIn(after, one)),
  ];
}

function messageOf(
  { message, position }: LogEntry,
  { account, wishes }: Listener,
  society: Society,
): Expected[] {
  if (!message || !wants(wishes, 'message') || !fits(message, wishes)) return [];
  return gets(message, position, account.userId, society, wishes)
    ? [`${position} message ${message.content}`]
    : [];
}

function gets(
  message: StoredMessage,
  position: number,
  userId: number,
  society: Society,
  wishes: Wishes,
): boolean {
  if (message.kind === 'direct') return message.recipients.some(({ id }) => id === userId);
  if (society.membership.hadAt(userId, message.channelId, position)) return true;
  return wishes.allPublicChannels && message.isPublic && society.roleOf(userId) < roles.guest;
}

export const lineOf = (position: number, { type, op }: { type: string; op?: string }): string =>
  op === undefined ? `${position} ${type}` : `${position} ${type}/${op}`;

const fits = (message: StoredMessage, { narrow }: Wishes): boolean =>
  narrow.every(([operator, operand]) =>
    operator === 'is'
      ? message.kind === 'direct'
      : message.kind === 'channel' && message.channelName === operand,
  );
