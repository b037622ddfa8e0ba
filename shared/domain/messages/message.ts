import type { EmojiType } from '#shared/domain/emoji/emoji-type.ts';
import type { TopicLink } from '#shared/domain/linkifiers/links.ts';

/** A participant of a direct-message conversation as of the time of sending. */
export interface Recipient {
  id: number;
  email: string;
  fullName: string;
}

export interface Reaction {
  userId: number;
  emojiName: string;
  emojiCode: string;
  reactionType: EmojiType;
}

interface MessageBase {
  senderId: number;
  senderEmail: string;
  senderFullName: string;
  senderAvatarVersion: number;
  /** Absent where the picture is that of the address. */
  senderAvatarPicture?: string;
  /** The name of the program that sent it. */
  client: string;
  atSeconds: number;
  /** Markdown source. */
  content: string;
  /** Safe HTML, rendered once when the message was sent. */
  html: string;
  isReadBySender: boolean;
  /** Where the reactions lie; absent where nobody ever reacted. */
  reactionsIn?: string;
  /** Absent where nobody has reacted, and where nobody asked for them. */
  reactions?: Reaction[];
  /** The queue and local id that the sender gave, for local echo. */
  echo?: { queueId: string; localId: string };
}

export interface ChannelMessage extends MessageBase {
  kind: 'channel';
  channelId: number;
  channelName: string;
  /** Whether members who are not subscribed may read it. */
  isPublic: boolean;
  topic: string;
  /** What the topic leads to; absent where it leads nowhere. */
  topicLinks?: TopicLink[];
}

export interface DirectMessage extends MessageBase {
  kind: 'direct';
  /** All participants, the sender included, ascending by id. */
  recipients: Recipient[];
}

/** A message as its log entry holds it; its id is the position of the entry. */
export type StoredMessage = ChannelMessage | DirectMessage;

/** A message together with its id. */
export type Message = StoredMessage & { messageId: number };

/** What decides who received a message and whether it is unread. */
export type MessageFacts = { messageId: number; senderId: number; isReadBySender: boolean } & (
  | { kind: 'channel'; channelId: number; topic: string }
  | { kind: 'direct'; recipients: { id: number }[] }
);
