import { raiseBySending } from '#shared/actions/topics/own-topics.ts';
import { type Change, mergeChanges } from '#shared/domain/change.ts';
import { mayKnow } from '#shared/domain/channels/permissions.ts';
import type { Job } from '#shared/domain/jobs.ts';
import { composeMessage, type Draft } from '#shared/domain/messages/compose.ts';
import type { Address, Destination } from '#shared/domain/messages/destination.ts';
import { sentLinks } from '#shared/domain/messages/link.ts';
import type { MessageText, StoredMessage } from '#shared/domain/messages/message.ts';
import { placeOf } from '#shared/domain/messages/topic.ts';
import type { RaisedPolicy } from '#shared/domain/topics/automation.ts';
import { type Account, isGuest, type User } from '#shared/domain/users/user.ts';
import type { Retry } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import type { KnownUser } from '#shared/markdown/known.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getDestination } from '#shared/store/messages/destinations.ts';
import { loadKnown } from '#shared/store/messages/references.ts';
import { getOrganizationUrl } from '#shared/store/organization/organization.ts';
import { rememberActive } from '#shared/store/users/users.ts';
import { composeText, jobsOfLinks, jobsOfMentions } from './message-text.ts';

/** A message to send and its destination. */
export interface Sending extends Omit<Draft, 'text'> {
  address: Address;
  /** Markdown, as `checkContent` returns it. */
  content: string;
}

/** A message that its sender may send, with the changes that are committed with it. */
export interface PreparedMessage {
  message: StoredMessage;
  destination: Destination;
  changes: Change[];
  /** The sender may know the name of the channel. */
  knowsChannel: boolean;
  /** The sender's raised policy for the topic, if it changes. */
  policy: RaisedPolicy | undefined;
}

/** The fields of the answer to `POST /messages`. */
interface Sent {
  id: number;
  message_url: string;
  message_link: string;
  automatic_new_visibility_policy?: number;
}

/**
 * Sends a user's message to a topic or to people, and records that the user was active today. A retry gets
 * the answer of the first attempt.
 * @throws like `prepareMessage`, Conflict, Overtaken
 */
export async function sendMessage(
  services: Services,
  sender: Account,
  sending: Sending,
  retry: Retry | undefined,
): Promise<Sent> {
  const prepared = await prepareMessage(services, sender, sending);
  await rememberActive(services.table, sender, toSeconds(services.clock.nowMs()));
  return commitPrepared(services, prepared, { retry });
}

/**
 * Decides about a message without sending it: its place, text and mentioned users, and its effects on the files that it
 * names, on the sender's preference for the topic, and on the preferences of the mentioned users.
 * @throws ChannelDoesNotExist, BadRequest, ChannelWildcardNotAllowed, TopicWildcardNotAllowed
 */
export async function prepareMessage(
  services: Services,
  sender: User,
  { address, content, ...draft }: Sending,
): Promise<PreparedMessage> {
  const { table, clock } = services;
  const [destination, known] = await Promise.all([
    getDestination(table, sender, address),
    loadKnown(table, sender, content),
  ]);
  const topic = destination.kind === 'channel' ? destination : undefined;
  const [text, raised] = await Promise.all([
    composeText(services, { author: sender, topic, content, known }),
    topic && raiseBySending(services, sender, topic),
  ]);
  const jobs = [
    ...(await jobsOfMentions(table, topic && placeOf(topic), text)),
    ...(await callsOf(sender, destination, known.users, text)),
    ...(await jobsOfLinks(table, sender, text)),
  ];
  // The code for files, and that for guests, is loaded with the first message that concerns them.
  const files = text.uploads
    ? await (await import('#shared/actions/uploads/uploads.ts')).nameUploads(services, text.uploads)
    : {};
  const message = composeMessage(
    sender,
    destination,
    { ...draft, text },
    toSeconds(clock.nowMs()),
    known.linker,
  );
  const people = destination.kind === 'direct' ? [sender, ...destination.users] : [];
  const note = people.some(isGuest)
    ? await (await import('./acquaintances.ts')).noteForGuests(table, people, message)
    : {};
  const changes = [files, raised?.change ?? {}, { jobs }, note];
  const knowsChannel = topic !== undefined && mayKnow(sender, topic);
  return { message, destination, changes, knowsChannel, policy: raised?.policy };
}

/** The calls of servers of outgoing webhook bots that a message causes. */
async function callsOf(
  sender: User,
  destination: Destination,
  named: KnownUser[],
  { mentions }: MessageText,
): Promise<Job[]> {
  const isDirect = destination.kind === 'direct';
  const called = isDirect
    ? destination.users
    : named.filter(({ userId }) => mentions?.userIds?.includes(userId));
  // The code is loaded with the first message that addresses a bot.
  if (!called.some(({ bot }) => bot)) return [];
  const { webhookJobs } = await import('#shared/domain/webhooks/calls.ts');
  return webhookJobs(sender, called, isDirect ? 'direct_message' : 'mention');
}

/** Sends a prepared message, optionally together with another change. @throws Conflict, Overtaken */
export async function commitPrepared(
  services: Services,
  { message, destination, changes, policy, knowsChannel }: PreparedMessage,
  { retry, together = {} }: { retry?: Retry | undefined; together?: Change },
): Promise<Sent> {
  const others = [together, ...changes].filter(isSomething);
  // A message without other writes is a single put.
  const change = { ...(others.length > 0 && mergeChanges(...others)), message };
  const url = await getOrganizationUrl(services.table);
  const answerAt = (id: number): Sent => ({
    id,
    ...sentLinks(url, { ...message, messageId: id }, knowsChannel),
    ...(policy !== undefined && { automatic_new_visibility_policy: policy }),
  });
  const channel = destination.kind === 'channel' ? destination.channel : undefined;
  return answerAt(await commitMessage(services, change, { retry, channel, answerAt }));
}

const isSomething = ({ writes = [], events = [], jobs = [] }: Change): boolean =>
  typeof writes === 'function' || writes.length + events.length + jobs.length > 0;
