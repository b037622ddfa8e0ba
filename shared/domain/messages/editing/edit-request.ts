import { BadRequest } from '#shared/domain/errors.ts';
import type { Message, MessageText } from '#shared/domain/messages/message.ts';
import type { PlacedMessage } from '#shared/domain/messages/moving/move.ts';
import { checkTopic, isSameTopic } from '#shared/domain/messages/topic.ts';
import { isWidget } from '#shared/domain/widgets/widget.ts';

export const propagateModes = ['change_one', 'change_later', 'change_all'] as const;
export type PropagateMode = (typeof propagateModes)[number];

/** The new text of a message. */
export type EditedText = MessageText & { messageId: number };

/** The changes that a call requests for a message. */
export interface EditRequest {
  content: string | undefined;
  topic: string | undefined;
  channelId: number | undefined;
  mode: PropagateMode;
}

/**
 * The effective changes of a request, with the topic as it is stored.
 * @throws BadRequest when nothing would change, and for changes that are impossible or cannot be combined
 */
export function readEditRequest(message: Message, input: EditRequest): EditRequest {
  const { content, mode } = input;
  if (mode !== 'change_one' && input.topic === undefined && input.channelId === undefined)
    throw new BadRequest('Invalid propagate_mode without topic edit');
  if (message.kind === 'direct') {
    if (input.topic !== undefined) throw new BadRequest('Direct messages cannot have topics.');
    if (input.channelId !== undefined) throw new BadRequest('Direct messages cannot be moved to channels.');
    return requirePossible(message, { content, topic: undefined, channelId: undefined, mode });
  }
  const wanted = input.topic === undefined ? undefined : checkTopic(input.topic);
  const topic = wanted === message.topic ? undefined : wanted;
  const channelId = input.channelId === message.channelId ? undefined : input.channelId;
  if (content !== undefined && channelId !== undefined)
    throw new BadRequest('Cannot change message content while changing channel');
  return requirePossible(message, { content, topic, channelId, mode });
}

/**
 * Whether a request moves a message to its present place. That is not always pointless: an earlier,
 * unfinished move may still take the message away.
 */
export const isMovedToItsPlace = (
  message: Message,
  { topic, channelId }: Pick<EditRequest, 'topic' | 'channelId'>,
): message is PlacedMessage =>
  message.kind === 'channel' &&
  (topic !== undefined || channelId !== undefined) &&
  (topic === undefined || isSameTopic(topic, message.topic)) &&
  (channelId === undefined || channelId === message.channelId);

function requirePossible(message: Message, request: EditRequest): EditRequest {
  const { content, topic, channelId } = request;
  if (content === undefined && topic === undefined && channelId === undefined)
    throw new BadRequest('Nothing to change');
  if (content !== undefined && isWidget(message)) throw new BadRequest('Widgets cannot be edited.');
  return request;
}
