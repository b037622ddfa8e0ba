import { isSameName } from '#web/state/names.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { keyOfNarrow, narrowOf } from '#web/state/narrow.ts';
import * as rights from '#web/state/rights.ts';
import type { Channel } from '#web/state/wire.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { listOf, t } from '#web/texts/texts.ts';
import { serviceNowMs } from './service-clock.ts';
import { cache, channels, nameOfPerson, ownChannels, people, server, topicLabel } from './store.ts';

/** The viewer's rights as of now. Views read them within `useServer`, so that a change of a right shows at once. */

const channelOf = ({ stream_id: id }: Message): Channel | undefined =>
  id === undefined ? undefined : channels.value.get(id);
const nowSeconds = (): number => serviceNowMs() / 1000;

export const mayEdit = (message: Message): boolean =>
  rights.mayEdit(server.value, channelOf(message), message, nowSeconds());

export const mayDelete = (message: Message): boolean =>
  rights.mayDelete(server.value, channelOf(message), message, nowSeconds());

/** Whether messages may get another topic, and whether they may go to another channel. */
export interface MoveRights {
  mayRename: boolean;
  mayMoveOut: boolean;
}

/** The rights to move a message of a channel, or any message of it. */
export function moveRightsIn(channelId: number | undefined, message?: Message): MoveRights {
  const channel = channels.value.get(channelId ?? 0);
  const now = nowSeconds();
  return {
    mayRename: rights.mayRename(server.value, channel, message, now),
    mayMoveOut: rights.mayMoveOut(server.value, channel, message, now),
  };
}

export function mayMove(message: Message): boolean {
  const { mayRename, mayMoveOut } = moveRightsIn(message.stream_id, message);
  return mayRename || mayMoveOut;
}

export const mayResolve = (channelId: number, topic: string): boolean =>
  rights.mayResolve(server.value, channels.value.get(channelId), topic);

export const mayDeleteTopics = (channelId: number): boolean =>
  rights.mayDeleteAny(server.value, channels.value.get(channelId));

export const mayJoin = (channel: Channel): boolean => rights.mayJoin(server.value, channel);

/** Why the viewer may not post in a channel, whatever the topic; undefined if they may. */
const obstacleInChannel = (channelId: number): rights.Obstacle | undefined =>
  rights.obstacleInChannel(server.value, channels.value.get(channelId), ownChannels.value.has(channelId));

export const mayPostIn = (channelId: number): boolean => obstacleInChannel(channelId) === undefined;

/** Why no topic can be started in a channel, in a sentence; undefined if one can. */
export function obstacleToNewTopic(channelId: number): string | undefined {
  const channel = channels.value.get(channelId);
  const obstacle = obstacleInChannel(channelId);
  if (obstacle || !channel) return sayIn(obstacle ?? 'unknown-channel', channelId);
  const mayStart = rights.isInAny(server.value, channel.can_create_topic_group);
  return mayStart ? undefined : sayIn('no-new-topic', channelId);
}

/** Why nothing can be written to a conversation, in a sentence; undefined if something can. */
export function obstacleTo(conversation: Conversation): string | undefined {
  const isNew = isNewOne(conversation);
  if (conversation.type === 'stream') {
    const { channelId, topic } = conversation;
    const channel = channels.value.get(channelId);
    const obstacle =
      obstacleInChannel(channelId) ??
      (channel && rights.obstacleInTopic(server.value, channel, topic, isNew));
    return obstacle && sayIn(obstacle, channelId);
  }
  const { userIds } = conversation;
  const gone = userIds.filter((id) => people.value.get(id)?.is_active === false);
  if (gone.length > 0)
    return t('compose.namesAreDeactivated', { count: gone.length, names: listOf(gone.map(nameOfPerson)) });
  const obstacle = rights.obstacleToPeople(server.value, userIds, isNew);
  if (obstacle === 'direct-off') return t('compose.directMessagesAreOff');
  if (obstacle === 'direct-no-start') return t('compose.youCantStartDirectConversations');
  return obstacle && t('compose.noOneHereMayAuthorize');
}

/** Whether a conversation has no messages, as far as that is known. */
function isNewOne(conversation: Conversation): boolean | undefined {
  const run = cache.value.runs.get(keyOfNarrow(narrowOf(conversation)));
  if (run) return run.ids.length === 0 && run.hasNewest && run.hasOldest;
  if (conversation.type === 'private') return undefined;
  const { channelId, topic } = conversation;
  return cache.value.topics.get(channelId)?.every(({ name }) => !isSameName(name, topic));
}

function sayIn(obstacle: rights.Obstacle, channelId: number): string {
  const channel = channels.value.get(channelId)?.name ?? '';
  switch (obstacle) {
    case 'archived':
      return t('compose.thisChannelIsArchivedIts');
    case 'subscribers-only':
      return t('compose.onlySubscribersWriteHere');
    case 'no-right':
      return t('compose.youCantPostInChannel', { channel });
    case 'needs-topic':
      return t('compose.messagesInChannelNeedATopic', { channel });
    case 'no-topics':
      return t('compose.channelHasNoTopics', { channel, topic: topicLabel('') });
    case 'no-new-topic':
      return t('compose.youCantStartTopicsInChannel', { channel });
    default:
      return t('compose.thisChannelDoesNotExist');
  }
}
