import { BadRequest } from '#shared/domain/errors.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Say, TextKey } from '#shared/domain/texts/texts.ts';
import type { User } from '#shared/domain/users/user.ts';
import { linkToMessage } from './link.ts';
import type { Message } from './message.ts';
import { fenced, mention, nameMessage, quotable } from './quote.ts';
import { checkTopic } from './topic.ts';

/** The reasons for a report, with their display names. Register returns them in this order. */
export const reportTypes = [
  { key: 'spam', name: 'Spam' },
  { key: 'harassment', name: 'Harassment' },
  { key: 'inappropriate', name: 'Inappropriate content' },
  { key: 'norms', name: 'Violates community norms' },
  { key: 'other', name: 'Other reason' },
] as const;
export type ReportType = (typeof reportTypes)[number]['key'];
export const reportTypeKeys = reportTypes.map(({ key }) => key);

/** The receipts for the reasons. */
const receipts = {
  spam: 'reports.receiptSpam',
  harassment: 'reports.receiptHarassment',
  inappropriate: 'reports.receiptInappropriate',
  norms: 'reports.receiptNorms',
  other: 'reports.receiptOther',
} as const satisfies Record<ReportType, TextKey>;

export const MAX_DESCRIPTION_LENGTH = 1000;
/** Characters left for the reported message beside the other text of a report. */
const MAX_QUOTED_LENGTH = 8500;
const MAX_NAMED_PEOPLE = 20;

export interface Report {
  type: ReportType;
  description: string;
}

/** @throws BadRequest when the reason needs an explanation and has none */
export function requireExplained({ type, description }: Report): void {
  if (type === 'other' && description.trim() === '') throw new BadRequest('An explanation is required.');
}

/** No moderation channel is set, or the set one cannot be used. */
export const noModerationChannel = (): BadRequest =>
  new BadRequest('Moderation request channel must be specified to enable message reporting.');

/** The topic of reports about a sender in the moderation channel. */
export const reportTopic = ({ senderFullName }: Message): string =>
  checkTopic(`${senderFullName} moderation`);

/** The text of a report for moderators. */
export function describeReport(
  organization: Organization,
  reporter: User,
  message: Message,
  { type, description }: Report,
): string {
  const name = reportTypes.find(({ key }) => key === type)?.name;
  const reason = [`**${name}**.`, description.trim()].join(' ').trimEnd();
  const head = [
    `${mention(reporter.userId, reporter.fullName)} reported a message sent by ${describeSending(message)}.`,
    fenced('quote', reason),
  ].join('\n');
  const foot =
    message.kind === 'direct' ? `\n\n[Original message](${linkToMessage(organization.url, message)})` : '';
  const place = message.kind === 'channel' ? ` at ${nameMessage(message)}` : '';
  const quoted = quotable(message, head + place + foot, MAX_QUOTED_LENGTH);
  return `${head}\n\n${fenced(`spoiler Original message${place}`, quoted)}${foot}`;
}

/** The confirmation for the reporter. */
export const describeReceipt = (
  organization: Organization,
  message: Message,
  type: ReportType,
  say: Say,
): string => say(receipts[type], { link: linkToMessage(organization.url, message) });

function describeSending(message: Message): string {
  const at = `at <time:${new Date(message.atSeconds * 1000).toISOString().slice(0, 19)}+00:00>`;
  const author = mention(message.senderId, message.senderFullName);
  if (message.kind === 'channel' || message.recipients.length <= 2) return `${author} ${at}`;
  const others = message.recipients.filter(({ id }) => id !== message.senderId);
  return `${author} to ${listPeople(others)} ${at}`;
}

function listPeople(people: { id: number; fullName: string }[]): string {
  const named = people.slice(0, MAX_NAMED_PEOPLE).map(({ id, fullName }) => mention(id, fullName));
  const rest = people.length - named.length;
  const all = rest > 0 ? [...named, `${rest} others`] : named;
  return `${all.slice(0, -1).join(', ')}, and ${all.at(-1)}`;
}
