import type { Change } from '#shared/domain/change.ts';
import { groupSettingsOf, hasContentAccess } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import { type ChannelView, mayRead } from '#shared/domain/messages/access.ts';
import { requireMayPost, requireMayUseTopic } from '#shared/domain/messages/destination.ts';
import type { PropagateMode } from '#shared/domain/messages/editing/edit-request.ts';
import { type PlacedMessage, requireMayMove } from '#shared/domain/messages/moving/move.ts';
import type { DoneMove } from '#shared/domain/messages/moving/move-notes.ts';
import type { MoveOrder } from '#shared/domain/messages/moving/move-order.ts';
import { isResolving, isSamePlace, type TopicPlace } from '#shared/domain/messages/topic.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/users/user.ts';
import { Conflict } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findTopicSummary, getChannelView } from '#shared/store/channels/channels.ts';
import { withTopic } from '#shared/store/messages/destinations.ts';
import { isWholeTopic, listTopicMessages } from '#shared/store/topics/topic-messages.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { jobsOfMentions } from './message-text.ts';
import { moveChange } from './move-messages.ts';
import { finishMoves } from './move-rest.ts';
import { takeBatch, WRITES_OF_FILES } from './take-batch.ts';

const END = Number.MAX_SAFE_INTEGER;

/** The requested move. */
export interface MoveRequest {
  message: PlacedMessage;
  view: ChannelView;
  topic: string | undefined;
  channelId: number | undefined;
  mode: PropagateMode;
  notifiesOld: boolean;
  notifiesNew: boolean;
  text?: MoveOrder['text'];
}

/**
 * Checks permissions and moves as many messages as one transaction holds; a job moves the rest.
 * @throws BadRequest, MoveMessagesTimeLimitExceeded, Conflict
 */
export async function planMove(
  services: Services,
  user: User,
  organization: Organization,
  request: MoveRequest,
): Promise<Change> {
  const { message, view, mode, text } = request;
  const from = { channelId: message.channelId, topic: message.topic };
  const to = { channelId: request.channelId ?? from.channelId, topic: request.topic ?? from.topic };
  await learnMemberships(services.table, user, [
    ...groupSettingsOf(view.channel),
    organization.groups.can_move_messages_between_topics_group,
    organization.groups.can_move_messages_between_channels_group,
    organization.groups.can_resolve_topics_group,
  ]);
  const listed = await listMoved(services, request, from);
  const all = listed.filter((message) => mayRead(user, message, view));
  // Checked after the listing: messages of an earlier move were written together with its job.
  if (await finishMoves(services, [from, to])) throw new Conflict();
  const nowSeconds = toSeconds(services.clock.nowMs());
  requireMayMove({ user, message, all, mode, view, to, organization, nowSeconds });
  await requireRoom(services, user, view, from, to);
  const isMerged = (await findTopicSummary(services.table, to.channelId, to.topic)) !== undefined;
  const order: MoveOrder = { userId: user.userId, mode, from, to, ...(text && { text }) };
  const batch = takeBatch(all, text && WRITES_OF_FILES);
  const withNewest = mode !== 'change_one' && batch.length === all.length;
  const change = await moveChange(services, order, batch, { withNewest });
  const { notifiesOld, notifiesNew } = request;
  const isWhole = all.length === listed.length && (await isWholeTopic(services, from, all));
  const move = { from, to, count: all.length, isWhole, notifiesOld, notifiesNew };
  const last = all.at(-1)?.messageId ?? 0;
  const rest: Job[] =
    batch.length === all.length
      ? []
      : [
          {
            type: 'move-messages',
            payload: { order, bounds: { from: (batch.at(-1)?.messageId ?? 0) + 1, to: last } },
            steps: ONE_STEP,
          },
        ];
  // If only the letter case of the name changes, preferences already apply to the new name.
  const preferences: Job[] =
    isWhole && mode === 'change_all' && !isSamePlace(from, to)
      ? [{ type: 'move-topic-preferences', payload: { from, to, isMerged }, steps: ONE_STEP }]
      : [];
  const following = text ? await jobsOfMentions(services.table, to, text, message.mentions) : [];
  return { ...change, jobs: [...rest, ...preferences, ...noteJobs(user, move), ...following] };
}

/** The messages to move, ascending. */
async function listMoved(
  services: Services,
  { message, mode }: MoveRequest,
  place: TopicPlace,
): Promise<PlacedMessage[]> {
  if (mode === 'change_one') return [message];
  const first = mode === 'change_all' ? 1 : message.messageId;
  const listed = await listTopicMessages(services, place, { from: first, to: END });
  const others = listed.filter(({ messageId }) => messageId !== message.messageId);
  return [...others, message].sort((a, b) => a.messageId - b.messageId);
}

/** @throws BadRequest when the destination does not accept messages */
async function requireRoom(
  services: Services,
  user: User,
  view: ChannelView,
  from: TopicPlace,
  to: TopicPlace,
): Promise<void> {
  const { table } = services;
  if (from.channelId === to.channelId) {
    if (isResolving(from.topic, to.topic)) return;
    requireMayUseTopic(user, await withTopic(table, { ...view, topic: to.topic }));
    return;
  }
  const target = await getChannelView(table, user, to.channelId);
  if (!hasContentAccess(user, target)) throw new BadRequest('Invalid channel ID');
  requireMayPost(user, await withTopic(table, { ...target, topic: to.topic }), to.channelId);
}

function noteJobs(user: User, move: DoneMove): Job[] {
  const isOnlyResolved =
    move.from.channelId === move.to.channelId && isResolving(move.from.topic, move.to.topic);
  const notes = isOnlyResolved ? Number(move.isWhole) : Number(move.notifiesNew) + Number(move.notifiesOld);
  if (notes === 0) return [];
  const steps = Array.from({ length: notes }, (_, n) => n);
  return [{ type: 'note-moved-messages', payload: { actorId: user.userId, move }, steps }];
}
