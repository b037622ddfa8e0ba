import type { EmojiType } from '#shared/domain/emoji/emoji-type.ts';
import type { TopicLink } from '#shared/domain/linkifiers/links.ts';
import type { Mentions } from './mentions.ts';
import type { MoveHistory } from './moving/move-history.ts';

/** A participant of a direct conversation at the time of sending. */
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

/** A part that turns a message into a widget: a vote, an option, a task. */
export interface Submessage {
  /** Its position in the log. */
  id: number;
  userId: number;
  /** Its kind, and JSON. */
  type: string;
  content: string;
}

/** A change of a message's place; the fields are the previous values. */
export interface Move {
  /** Its position in the log. */
  position: number;
  userId: number;
  atSeconds: number;
  /** Absent when the topic stayed the same. */
  topic?: string;
  /** Absent when the channel stayed the same. */
  channelId?: number;
}

/** One change of a message: the previous values and, for its place, the new ones. */
export interface HistoryEntry {
  userId: number;
  atSeconds: number;
  content?: { before: string; htmlBefore: string };
  topic?: { before: string; after: string };
  channel?: { before: number; after: number };
}

/** The author's text, and its derived parts from sending and editing. */
export interface MessageText {
  /** Markdown source. */
  content: string;
  /** Safe HTML. */
  html: string;
  /** Absent when it mentions no user. */
  mentions?: Mentions;
  /** The service's files that it links to; absent when there are none. */
  uploads?: string[];
}

interface MessageBase extends MessageText {
  senderId: number;
  senderEmail: string;
  senderFullName: string;
  senderAvatarVersion: number;
  /** Absent when the picture is derived from the e-mail address. */
  senderAvatarPicture?: string;
  /** The name of the program that sent it. */
  client: string;
  atSeconds: number;
  isReadBySender: boolean;
  /** Where its reactions are stored; absent when it never had any. */
  reactionsIn?: string;
  /** Absent when there are none, and when they were not loaded. */
  reactions?: Reaction[];
  /** The same for submessages. */
  submessagesIn?: string;
  submessages?: Submessage[];
  /** The number of changes; absent when there were none. */
  revision?: number;
  /**
   * The last change of its text, and the number of stored earlier texts; absent when its text never changed.
   */
  editedAtSeconds?: number;
  keptEdits?: number;
  /** The changes visible to the reader, newest first; absent when they were not loaded. */
  history?: HistoryEntry[];
  /** The sender's queue and local id, for local echo. */
  echo?: { queueId: string; localId: string };
}

export interface ChannelMessage extends MessageBase {
  kind: 'channel';
  channelId: number;
  channelName: string;
  /** Whether members who are not subscribed may read it. */
  isPublic: boolean;
  topic: string;
  /** The links of the topic; absent when there are none. */
  topicLinks?: TopicLink[];
  /** Earlier places, newest first; absent when it was never moved. */
  moves?: Move[];
  /** The last move other than resolving its topic. */
  movedAtSeconds?: number;
  /** The channels that it passed through; absent when it was never in another one. */
  journey?: MoveHistory;
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

/** What decides who received a message, whether it is unread, and which users it mentions. */
export type MessageFacts = {
  messageId: number;
  senderId: number;
  isReadBySender: boolean;
  mentions?: Mentions;
} & (
  | { kind: 'channel'; channelId: number; topic: string; journey?: MoveHistory }
  | { kind: 'direct'; recipients: { id: number }[] }
);
