import type { EmojiType } from '#shared/domain/emoji/emoji-type.ts';
import type { TopicLink } from '#shared/domain/linkifiers/links.ts';
import type { Journey } from './journey.ts';

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

/** What somebody added to a message to make something else of it: a vote, an option, a task. */
export interface Submessage {
  /** The position of the log at which it was added. */
  id: number;
  userId: number;
  /** Its kind, and JSON. */
  type: string;
  content: string;
}

/** A change of where a message is, by what it was before. */
export interface Move {
  /** The position of the log at which it happened. */
  position: number;
  userId: number;
  atSeconds: number;
  /** Absent where the topic stayed. */
  topic?: string;
  /** Absent where the channel stayed. */
  channelId?: number;
}

/** One change of a message, by what it was before and, of its place, what it became. */
export interface HistoryEntry {
  userId: number;
  atSeconds: number;
  content?: { before: string; htmlBefore: string };
  topic?: { before: string; after: string };
  channel?: { before: number; after: number };
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
  /** Safe HTML, rendered when the message was sent or edited. */
  html: string;
  isReadBySender: boolean;
  /** The paths of the files of the service that it names; absent where it names none. */
  uploads?: string[];
  /** Where the reactions lie; absent where nobody ever reacted. */
  reactionsIn?: string;
  /** Absent where nobody has reacted, and where nobody asked for them. */
  reactions?: Reaction[];
  /** The same of submessages. */
  submessagesIn?: string;
  submessages?: Submessage[];
  /** How often the message was changed; absent where it never was. */
  revision?: number;
  /** When its text was changed last, and how many of its earlier texts are kept; absent where it never was. */
  editedAtSeconds?: number;
  keptEdits?: number;
  /** What changed, newest first, as far as the reader may know; absent where nobody asked for it. */
  history?: HistoryEntry[];
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
  /** Where it was before, newest first; absent where it was always here. */
  moves?: Move[];
  /** When it was moved last, otherwise than by resolving its topic. */
  movedAtSeconds?: number;
  /** The channels through which it came; absent where it was always in this one. */
  journey?: Journey;
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
  | { kind: 'channel'; channelId: number; topic: string; journey?: Journey }
  | { kind: 'direct'; recipients: { id: number }[] }
);
