import type { FindLinks } from '#shared/domain/linkifiers/links.ts';
import type { Known } from './known.ts';

/** What a rendered text shows and whom it mentions aloud. */
export interface Rendered {
  html: string;
  mentionedUserIds: number[];
  mentionedGroupIds: number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
}

/** How large a text may become. */
export interface TextLimits {
  /**
   * Emoji, mentions, colours and formulas are many times longer than what stands for them. Together they may add so many
   * characters; what comes after that stays text.
   */
  addedCharacters: number;
  /** A text whose HTML would be longer is shown as it was written. */
  htmlBytes: number;
}

/** An edit is one entry of at most 400 KB, with both texts (40 KB each) and the HTML of both. */
export const messageLimits: TextLimits = { addedCharacters: 100_000, htmlBytes: 150_000 };
/** Descriptions are short, and register tells all of them. */
export const descriptionLimits: TextLimits = { addedCharacters: 4_000, htmlBytes: 8_000 };

/** What is known and found while one text is rendered. */
export interface Environment {
  known: Known;
  limits: TextLimits;
  findLinks: FindLinks;
  userIds: Set<number>;
  groupIds: Set<number>;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  added: number;
  /** A formula did not fit. */
  isMathFull: boolean;
  tableCells: number;
}

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

/** Whether so many characters more may be added; they count if so. */
export function mayAdd(environment: Environment, characters: number): boolean {
  if (environment.added + characters > environment.limits.addedCharacters) return false;
  environment.added += characters;
  return true;
}
