import { recipientIds } from './messages.ts';
import { foldName, isSameName } from './names.ts';
import { isMuted, POLICY, policyOf } from './topics.ts';
import type { Snapshot } from './wire.ts';
import type { Message } from './wire-messages.ts';

/** One word of a search: `channel:5`, `-is:muted`. Operands are texts; people and channels are named by their ids. */
export interface Term {
  operator: string;
  operand: string;
  negated?: boolean;
}

/** The messages of a feed: all for which every term holds. */
export type Narrow = readonly Term[];

/** Names that old clients write, and the current ones. */
const ALIASES: Record<string, string> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  'pm-with': 'dm',
  pm_with: 'dm',
  'group-pm-with': 'dm-including',
  from: 'sender',
};

export const canonical = (operator: string): string => ALIASES[operator] ?? operator;

/** The operators whose operands are people. */
export const PEOPLE = ['sender', 'dm', 'dm-including', 'mentions'];

/** The same text for narrows that show the same messages. */
export const keyOfNarrow = (narrow: Narrow): string =>
  narrow
    .map(
      ({ operator, operand, negated }) =>
        `${negated ? '-' : ''}${operator}:${foldOperand(operator, operand)}`,
    )
    .join(' ');

const foldOperand = (operator: string, operand: string): string =>
  operator === 'topic' ? foldName(operand) : operand;

export const operandOf = (narrow: Narrow, operator: string): string | undefined =>
  narrow.find((term) => term.operator === operator && !term.negated)?.operand;

export const channelNarrow = (channelId: number): Narrow => [
  { operator: 'channel', operand: `${channelId}` },
];

export const topicNarrow = (channelId: number, topic: string): Narrow => [
  ...channelNarrow(channelId),
  { operator: 'topic', operand: topic },
];

/** The conversation of the viewer with these people. */
export const directNarrow = (userIds: readonly number[]): Narrow => [
  { operator: 'dm', operand: [...userIds].sort((a, b) => a - b).join(',') },
];

const isChannelName = ({ operator, operand }: Term): boolean =>
  operator === 'channel' && !/^\d+$/.test(operand);

/** Whether a narrow names a channel by its name, as old links do. */
export const namesChannels = (narrow: Narrow): boolean => narrow.some(isChannelName);

const slugOf = (name: string): string => foldName(name).replaceAll(' ', '-');

/** The same narrow with the ids of the channels that it names; a name that fits no channel stays. */
export function withChannelIds(
  narrow: Narrow,
  channels: Iterable<{ stream_id: number; name: string }>,
): Narrow {
  const ids = new Map([...channels].map(({ stream_id: id, name }) => [slugOf(name), id]));
  return narrow.map((term) =>
    isChannelName(term) ? { ...term, operand: String(ids.get(slugOf(term.operand)) ?? term.operand) } : term,
  );
}

/** People of a `dm` operand. */
export const idsOf = (operand: string): number[] => operand.split(',').filter(Boolean).map(Number);

/** A conversation: one topic of one channel, or the direct messages of some people. */
export type Conversation =
  | { type: 'stream'; channelId: number; topic: string }
  | { type: 'private'; userIds: number[] };

/** The one conversation that a narrow shows; undefined if it shows several, or parts. */
export function conversationOf(narrow: Narrow): Conversation | undefined {
  const rest = narrow.filter(({ operator }) => operator !== 'with');
  const channel = operandOf(rest, 'channel');
  const topic = operandOf(rest, 'topic');
  if (rest.length === 2 && channel !== undefined && topic !== undefined)
    return { type: 'stream', channelId: Number(channel), topic };
  const people = operandOf(rest, 'dm');
  if (rest.length === 1 && people !== undefined) return { type: 'private', userIds: idsOf(people) };
  return undefined;
}

export const narrowOf = (conversation: Conversation): Narrow =>
  conversation.type === 'stream'
    ? topicNarrow(conversation.channelId, conversation.topic)
    : directNarrow(conversation.userIds);

/** The conversation of a message, without the viewer among its people. */
export function conversationOfMessage(message: Message, ownId: number): Conversation {
  if (message.type === 'stream')
    return { type: 'stream', channelId: message.stream_id as number, topic: message.subject };
  const others = recipientIds(message).filter((id) => id !== ownId);
  return { type: 'private', userIds: others.length > 0 ? others : [ownId] };
}

/** A search as the API takes it. */
export function toWire(
  narrow: Narrow,
  ownId: number,
): { operator: string; operand: unknown; negated: boolean }[] {
  return narrow.map(({ operator, operand, negated = false }) => {
    if (operator === 'channel' && /^\d+$/.test(operand))
      return { operator, operand: Number(operand), negated };
    if (operator === 'dm' || operator === 'dm-including')
      return { operator, operand: idsOf(operand), negated };
    if (operator === 'sender' || operator === 'mentions')
      return { operator, operand: operand === 'me' ? ownId : Number(operand) || operand, negated };
    return { operator, operand, negated };
  });
}

/** Whether a narrow shows a message; undefined if only the service can decide. */
export function shows(narrow: Narrow, message: Message, viewer: Snapshot): boolean | undefined {
  let isSure = true;
  for (const term of narrow) {
    const holds = test(term, message, viewer);
    if (holds === undefined) isSure = false;
    else if (holds === Boolean(term.negated)) return false;
  }
  return isSure ? true : undefined;
}

function test({ operator, operand }: Term, message: Message, viewer: Snapshot): boolean | undefined {
  const ownId = viewer.user_id;
  switch (operator) {
    case 'channel':
      return message.stream_id === Number(operand);
    case 'topic':
      return message.type === 'stream' && isSameName(message.subject, operand);
    case 'dm':
      return message.type === 'private' && isAmong(recipientIds(message), idsOf(operand), ownId);
    case 'dm-including':
      return message.type === 'private' && idsOf(operand).every((id) => recipientIds(message).includes(id));
    case 'sender':
      return message.sender_id === (operand === 'me' ? ownId : Number(operand));
    case 'in':
      return operand !== 'home' || isAtHome(message, viewer);
    case 'is':
      return testIs(operand, message, viewer);
    case 'with':
      return true;
    default:
      return undefined;
  }
}

/** The combined feed leaves out messages that the viewer muted. */
const isAtHome = (message: Message, viewer: Snapshot): boolean =>
  !isMuted(viewer, message.stream_id, message.subject) &&
  !viewer.muted_users.some(({ id }) => id === message.sender_id);

const isAmong = (people: number[], asked: number[], ownId: number): boolean => {
  const others = people.filter((id) => id !== ownId);
  const wanted = asked.filter((id) => id !== ownId);
  return others.length === wanted.length && wanted.every((id) => others.includes(id));
};

function testIs(operand: string, message: Message, viewer: Snapshot): boolean | undefined {
  const { flags, type, subject, stream_id: channelId } = message;
  if (operand === 'muted') return isMuted(viewer, channelId, subject);
  if (operand === 'followed') return policyOf(viewer, channelId, subject) === POLICY.followed;
  if (operand === 'dm' || operand === 'private') return type === 'private';
  if (operand === 'starred') return flags.includes('starred');
  if (operand === 'unread') return !flags.includes('read');
  if (operand === 'mentioned')
    return flags.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned'));
  if (operand === 'alerted') return flags.includes('has_alert_word');
  if (operand === 'resolved') return subject.startsWith('✔ ');
  return undefined;
}
