import type { StateCore } from 'markdown-it';
import { type Linker, noLinker } from '#shared/domain/linkifiers/links.ts';
import type { Elements } from './sanitize.ts';

export interface KnownUser {
  userId: number;
  fullName: string;
  isActive: boolean;
}

export interface KnownGroup {
  groupId: number;
  name: string;
  isDeactivated: boolean;
}

export interface KnownChannel {
  channelId: number;
  name: string;
}

/** The newest message of a topic. */
export interface KnownTopic {
  channelId: number;
  topic: string;
  newestMessageId: number;
}

/** An emoji of the organization, with the address of its picture. */
export interface KnownEmoji {
  name: string;
  url: string;
}

/** A file of the service that the author may have. */
export interface KnownUpload {
  /** Its path below `/user_uploads/`. */
  pathId: string;
  /** Absent of what is no picture, and where pictures are not shown. */
  image?: KnownImage;
  /** What plays it; absent of what is neither sound nor film, and of film where pictures are not shown. */
  player?: 'audio' | 'video';
}

/** A picture that a text can show. */
export interface KnownImage {
  pathId: string;
  mediaType: string;
  width: number;
  height: number;
  /** The name of the form that is shown. */
  thumbnail: string;
}

/** The emoji that every organization has. */
export interface UnicodeEmoji {
  findCode(name: string): string | undefined;
  findName(code: string): string | undefined;
}

/** Colours code; the name is that of the language. Nothing for a language that it does not know. */
export type Highlight = (code: string, language: string) => { name: string; html: string } | undefined;

/** Sets a formula; nothing for one that has no meaning. */
export type SetMath = (formula: string, isDisplayed: boolean) => string | undefined;

/** What a text is rendered with: those of its references that its author may know of, and the parts that it needs. */
export interface Known {
  linker: Linker;
  users: KnownUser[];
  groups: KnownGroup[];
  channels: KnownChannel[];
  topics: KnownTopic[];
  emoji: KnownEmoji[];
  uploads: KnownUpload[];
  /** The address of the service, where the text has links to it. */
  origin?: string;
  unicodeEmoji?: UnicodeEmoji;
  highlight?: Highlight;
  setMath?: SetMath;
  /** What formulas are made of. */
  mathElements?: Elements;
  /** Shows pictures of the service that the text names. */
  addPreviews?: (state: StateCore) => void;
  /** The same for sound and film. */
  addPlayers?: (state: StateCore) => void;
}

export const nothingKnown: Known = {
  linker: noLinker,
  users: [],
  groups: [],
  channels: [],
  topics: [],
  emoji: [],
  uploads: [],
};
