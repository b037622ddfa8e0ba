import { BadRequest } from '#shared/domain/errors.ts';
import { type Address, isChannelType, type MessageType } from './destination.ts';
import { checkTopic } from './topic.ts';

/** Larger audiences should use a channel. */
const MAX_RECIPIENTS = 500;

/**
 * Reads `to` and `topic` of a new message. A channel is given by id, name or a list of one of them; people by
 * a list of ids, a list of addresses, or comma-separated addresses.
 */
export function readAddress(type: MessageType, to: string | undefined, topic: string | undefined): Address {
  if (!isChannelType(type)) return { kind: 'direct', users: readUsers(parseJson(to)) };
  const channel = readChannel(parseChannel(to));
  if (topic === undefined) throw new BadRequest('Missing topic');
  return { kind: 'channel', channel, topic: checkTopic(topic) };
}

/** A text, a number or a list in JSON. All else is the name of a channel, such as `null`, and to parse it would cost an exception. */
const parseChannel = (to = ''): unknown => (/^\s*["[\d-]/.test(to) ? parseJson(to) : to);

function parseJson(to: string | undefined): unknown {
  if (to === undefined) return undefined;
  try {
    return JSON.parse(to);
  } catch {
    return to;
  }
}

function readChannel(input: unknown): number | string {
  if (input === '') throw new BadRequest('Missing channel');
  const list: unknown[] = Array.isArray(input) ? input : [input];
  const [channel] = list;
  if (list.length > 1) throw new BadRequest('Cannot send to multiple channels');
  if (channel === undefined) throw new BadRequest('Expected exactly one channel');
  if (typeof channel === 'string' && channel.isWellFormed()) return channel.trim();
  if (Number.isSafeInteger(channel)) return channel as number;
  throw new BadRequest('Invalid data type for channel');
}

function readUsers(input: unknown): (number | string)[] {
  if (input === undefined) throw new BadRequest('Message must have recipients');
  const list = typeof input === 'string' ? input.split(',') : Array.isArray(input) ? input : [input];
  const users = list
    .map((value: unknown) => (typeof value === 'string' ? value.trim() : value))
    .filter((value) => value !== '');
  const isEmails = users.every((user) => typeof user === 'string' && user.isWellFormed());
  const isIds = users.every((user) => Number.isSafeInteger(user));
  checkRecipientCount(users);
  if (isEmails || isIds) return users as (number | string)[];
  const isMixed = users.every((user) => typeof user === 'string' || Number.isSafeInteger(user));
  if (isMixed) throw new BadRequest('Recipient lists may contain emails or user IDs, but not both.');
  throw new BadRequest('Invalid data type for recipients');
}

/** @throws BadRequest for no recipients and for more than a conversation may have */
export function checkRecipientCount(users: unknown[]): void {
  if (users.length === 0) throw new BadRequest('Message must have recipients');
  if (users.length > MAX_RECIPIENTS) throw new BadRequest(`Too many recipients (maximum ${MAX_RECIPIENTS}).`);
}
