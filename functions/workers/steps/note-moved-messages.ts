import { composeBotPost } from '#shared/actions/messages/bot-message.ts';
import { deleteFromChannelChange } from '#shared/actions/messages/delete-messages.ts';
import { sayIn } from '#shared/actions/texts/say-in.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { isUndoneBy, notesOfMove } from '#shared/domain/messages/moving/move-notes.ts';
import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findNeighbour, topicIndex } from '#shared/store/topics/topic-messages.ts';
import { getUser } from '#shared/store/users/users.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';

/**
 * The notification bot reports a move at the old or new place; the step is one note. It says nothing if the
 * messages have moved on.
 */
export async function noteMovedMessages(
  services: Services,
  { actorId, move }: JobPayloads['note-moved-messages'],
  step: number,
): Promise<Change | undefined> {
  const { table } = services;
  const [{ notificationBotId, settings }, actor, channels] = await Promise.all([
    getOrganization(table),
    getUser(table, actorId),
    listChannelsById(table, [move.from.channelId, move.to.channelId]),
  ]);
  const byId = new Map(channels.map((channel) => [channel.channelId, channel]));
  const say = await sayIn(settings.default_language);
  const note = notesOfMove(move, `@_**${actor.fullName}|${actor.userId}**`, byId, say)[step];
  if (!note) return undefined;
  const newest = await findNeighbour(services, topicIndex(note.place), new Set(), { backwards: true });
  if (note.isAtDestination && !newest) return undefined;
  const channel = byId.get(note.place.channelId);
  const nowSeconds = toSeconds(services.clock.nowMs());
  if (newest?.kind === 'channel' && channel && isUndoneBy(newest, note, notificationBotId, nowSeconds, say))
    return deleteFromChannelChange(services, channel, [newest]);
  const message = await composeBotPost(services, notificationBotId, note.place, note.content);
  if (!message || !note.isAtDestination) return message && { message };
  return { message, writes: (position) => [newestWrite(note.place, position)] };
}

/** Makes the note the newest message of its topic; fails when the topic has no messages any longer. */
const newestWrite = ({ channelId, topic }: TopicPlace, position: number): Write => ({
  kind: 'update',
  key: channelKeys.topic(channelId, toCanonical(topic)),
  set: { maxMessageId: position },
  condition: { above: { maxMessageId: 0 }, belowOrAbsent: { maxMessageId: position } },
});
