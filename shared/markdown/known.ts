import type { StateCore } from 'markdown-it';
import { type Linker, noLinker } from '#shared/domain/linkifiers/links.ts';
import type { Elements } from './sanitize.ts';

export interface KnownUser {
  userId: number;
  fullName: string;
  isActive: boolean;
  /** Present for bots of users. */
  bot?: { type: number };
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

/** An uploaded file that the author may access. */
export interface KnownUpload {
  /** Its path below `/user_uploads/`. */
  pathId: string;
  /** Absent for files that are not pictures, and when pictures are not shown. */
  image?: KnownImage;
  /** The player; absent for other files, and for videos when pictures are not shown. */
  player?: 'audio' | 'video';
}

/** A picture that a text can show. */
export interface KnownImage {
  pathId: string;
  mediaType: string;
  width: number;
  height: number;
  /** The name of the thumbnail to show. */
  thumbnail: string;
}

/** The built-in emoji. */
export interface UnicodeEmoji {
  findCode(name: string): string | undefined;
  findName(code: string): string | undefined;
}

/** Highlights code and names its language. Undefined for an unknown language. */
export type Highlight = (code: string, language: string) => { name: string; html: string } | undefined;

/** Renders a formula; undefined when it is invalid. */
export type SetMath = (formula: string, isDisplayed: boolean) => string | undefined;

/**
 * The context in which a text is rendered: the references that its author may know of, and the optional parts of the
 * renderer.
 */
export interface Known {
  linker: Linker;
  users: KnownUser[];
  groups: KnownGroup[];
  channels: KnownChannel[];
  topics: KnownTopic[];
  emoji: KnownEmoji[];
  uploads: KnownUpload[];
  /** The address of the service, if the text links to it. */
  origin?: string;
  unicodeEmoji?: UnicodeEmoji;
  highlight?: Highlight;
  setMath?: SetMath;
  /** The HTML elements of formulas. */
  mathElements?: Elements;
  /** Shows linked pictures, audio and videos of the service. */
  showUploads?: (state: StateCore) => void;
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
