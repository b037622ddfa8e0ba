import type { FindLinks } from '#shared/domain/linkifiers/links.ts';
import type { Known } from './known.ts';

/** The HTML of a text, and its mentions that are not silent. */
export interface Rendered {
  html: string;
  mentionedUserIds: number[];
  mentionedGroupIds: number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
}

/** Limits for the size of a rendered text. */
export interface TextLimits {
  /**
   * Emoji, mentions, colours and formulas are many times longer than their source. Together they may add this
   * many characters; further ones stay text.
   */
  addedCharacters: number;
  /** A text with longer HTML is shown as plain text. */
  htmlBytes: number;
}

/** An edit is one entry of at most 400 KB, with both texts (40 KB each) and the HTML of both. */
export const messageLimits: TextLimits = { addedCharacters: 100_000, htmlBytes: 150_000 };
/** Descriptions are short, because register includes all of them. */
export const descriptionLimits: TextLimits = { addedCharacters: 4_000, htmlBytes: 8_000 };

/** The state of rendering one text. */
export type Environment = {
  known: Known;
  limits: TextLimits;
  findLinks: FindLinks;
  userIds: Set<number>;
  groupIds: Set<number>;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  added: number;
  /** A formula exceeded the limit. */
  isMathFull: boolean;
  tableCells: number;
  /** The source as tables read it; made for the first one. */
  tableSource?: string;
};

export const newEnvironment = (known: Known, limits: TextLimits): Environment => ({
  known,
  limits,
  findLinks: known.linker.open(),
  userIds: new Set(),
  groupIds: new Set(),
  mentionsChannel: false,
  mentionsTopic: false,
  added: 0,
  isMathFull: false,
  tableCells: 0,
});

/** Whether this many more characters may be added; if so, they are counted. */
export function mayAdd(environment: Environment, characters: number): boolean {
  if (environment.added + characters > environment.limits.addedCharacters) return false;
  environment.added += characters;
  return true;
}
