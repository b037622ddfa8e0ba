import { channels, nameOfPerson, server, topicLabel } from '#web/net/store.ts';
import { pathOf } from '#web/state/direction.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';

/** The place of a conversation in words, as `#design › logo`. */
export function whereTo(conversation: Conversation): string {
  if (conversation.type === 'stream')
    return `#${pathOf(channels.value.get(conversation.channelId)?.name ?? t('compose.unknownChannel'), topicLabel(conversation.topic))}`;
  const [first] = conversation.userIds;
  if (conversation.userIds.length === 1 && first === server.value.user_id) return t('compose.yourself');
  return conversation.userIds.map(nameOfPerson).join(t('common.comma'));
}
