import { toCanonical } from '#shared/domain/names.ts';
import { UNKNOWN_SENDER } from './block-summary.ts';
import { conversationKey } from './conversation.ts';
import type { MessageFacts } from './message.ts';

/** A conversation that a walk from the newest message to older ones found. */
export interface RecentConversation {
  /** Its newest message. */
  newest: MessageFacts;
  /** Senders of its messages, most recent first, as far as the walk knows them. */
  senderIds: number[];
  /** Whether the viewer sent one of its messages. */
  isParticipant: boolean;
}

/** The maximum number of participants of a conversation in a list. */
export const MAX_PARTICIPANTS = 5;

/** Names the topic, regardless of letter case, or the direct conversation of a message. */
export const placeKeyOf = (message: MessageFacts): string =>
  message.kind === 'channel'
    ? `${message.channelId} ${toCanonical(message.topic)}`
    : conversationKey(message.recipients.map(({ id }) => id));

/** Collects conversations from the messages of a walk. */
export class RecentConversations {
  readonly #viewerId: number;
  readonly #byPlace = new Map<string, RecentConversation>();

  constructor(viewerId: number) {
    this.#viewerId = viewerId;
  }

  /** Takes the next messages, newest first, and returns the conversations that begin with them. */
  take(messages: MessageFacts[]): RecentConversation[] {
    const begun: RecentConversation[] = [];
    for (const message of messages) {
      const place = placeKeyOf(message);
      let conversation = this.#byPlace.get(place);
      if (!conversation) {
        conversation = { newest: message, senderIds: [], isParticipant: false };
        this.#byPlace.set(place, conversation);
        begun.push(conversation);
      }
      this.#addSender(conversation, message.senderId);
    }
    return begun;
  }

  #addSender(conversation: RecentConversation, senderId: number): void {
    if (senderId === UNKNOWN_SENDER) return;
    if (senderId === this.#viewerId) conversation.isParticipant = true;
    const { senderIds } = conversation;
    if (senderIds.length < MAX_PARTICIPANTS && !senderIds.includes(senderId)) senderIds.push(senderId);
  }
}

/** The most recent participants, the sender of the newest message first. */
export const participantsOf = ({ senderIds }: RecentConversation, newestSenderId: number): number[] =>
  [...new Set([newestSenderId, ...senderIds])].slice(0, MAX_PARTICIPANTS);
