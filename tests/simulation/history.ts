import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import type { Audience, EventPayload } from '#shared/events/catalogue.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import type { Listener, Wishes } from './journal.ts';

/** An event that a client should get: where it stands in the log, and what it is. */
export type Expected = string;

/** The channels of everybody as of one position, told by the log's events alone. */
export class Membership {
  readonly #subscribers = new Map<number, Map<number, number[]>>();

  /** @throws Error when somebody comes who is there, or goes who is not */
  apply({ position, events }: LogEntry): void {
    for (const { audience, payload } of events) {
      if (payload.type !== 'subscription' || audience.kind !== 'users') continue;
      if (payload.op === 'add')
        for (const [userId, channelId] of payload.rows as [number, number][])
          this.#turn(userId, channelId, position, true);
      if (payload.op === 'remove')
        for (const { stream_id: channelId } of payload.subscriptions as { stream_id: number }[])
          for (const userId of audience.userIds) this.#turn(userId, channelId, position, false);
    }
  }

  #turn(userId: number, channelId: number, position: number, comes: boolean): void {
    const turns = this.turnsOf(userId, channelId);
    if (this.has(userId, channelId) === comes)
      throw new Error(
        `At ${position}, user ${userId} ${comes ? 'comes to' : 'leaves'} channel ${channelId} twice`,
      );
    turns.push(position);
  }

  /** The positions at which the user came and left, in turns. */
  turnsOf(userId: number, channelId: number): number[] {
    const users = this.#subscribers.get(channelId) ?? new Map<number, number[]>();
    this.#subscribers.set(channelId, users);
    const turns = users.get(userId) ?? [];
    users.set(userId, turns);
    return turns;
  }

  has(userId: number, channelId: number): boolean {
    return this.turnsOf(userId, channelId).length % 2 === 1;
  }
}

/** What a queue should have delivered of the whole log: one line for each event, in order. */
export function expectedEvents(log: LogEntry[], listener: Listener, start: number): Expected[] {
  const membership = new Membership();
  const expected: Expected[] = [];
  for (const entry of log) {
    membership.apply(entry);
    if (entry.position > start && !isMarkAll(entry)) expected.push(...eventsOf(entry, listener, membership));
  }
  return expected;
}

/** Such an entry becomes as many events as what was unread needs. The snapshots judge them. */
export const isMarkAll = ({ events }: LogEntry): boolean =>
  events.some(({ payload }) => payload.unreadAfter !== undefined);

function eventsOf(entry: LogEntry, { account, wishes }: Listener, membership: Membership): Expected[] {
  const { position, events, message } = entry;
  const wants = (type: string): boolean => wishes.eventTypes?.includes(type) ?? true;
  const shown = events
    .filter(({ payload }) => payload.type !== 'queue_removed' && wants(payload.type))
    .filter(({ audience }) => belongsTo(audience, account, membership))
    .map(({ payload }) => lineOf(position, payload));
  const isShown =
    message && wants('message') && gets(message, account, membership, wishes) && fits(message, wishes);
  return isShown ? [...shown, `${position} message ${message.content}`] : shown;
}

export const lineOf = (position: number, { type, op }: EventPayload): string =>
  op === undefined ? `${position} ${type}` : `${position} ${type}/${op}`;

function belongsTo(audience: Audience, account: Account, membership: Membership): boolean {
  const isGuest = account.role === roles.guest;
  switch (audience.kind) {
    case 'everyone':
      return true;
    case 'members':
      return !isGuest;
    case 'administrators':
      return account.role <= roles.administrator;
    case 'holders':
      return audience.channelIds.some((channelId) => membership.has(account.userId, channelId));
    case 'users':
      return audience.userIds.includes(account.userId);
    case 'subscribers':
    case 'readers':
      return membership.has(account.userId, audience.channelId);
    case 'channel':
      if (audience.exceptUserIds?.includes(account.userId)) return false;
      if (account.role <= roles.administrator || (audience.isPublic && !isGuest)) return true;
      return membership.has(account.userId, audience.channelId);
  }
}

function gets(message: StoredMessage, account: Account, membership: Membership, wishes: Wishes): boolean {
  if (message.kind === 'direct') return message.recipients.some(({ id }) => id === account.userId);
  if (membership.has(account.userId, message.channelId)) return true;
  return wishes.allPublicChannels && message.isPublic && account.role !== roles.guest;
}

const fits = (message: StoredMessage, { narrow }: Wishes): boolean =>
  narrow.every(([operator, operand]) =>
    operator === 'is'
      ? message.kind === 'direct'
      : message.kind === 'channel' && message.channelName === operand,
  );
