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

/**
 * Emoji, mentions, colours and formulas are many times longer than what stands for them. Together they may add so many
 * characters to a message, which has to fit into an item of 400 KB; what comes after that stays text.
 */
const MAX_ADDED = 100_000;

/** What is known and found while one text is rendered. */
export interface Environment {
  known: Known;
  findLinks: FindLinks;
  userIds: Set<number>;
  groupIds: Set<number>;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  added: number;
  tableCells: number;
}

export const newEnvironment = (known: Known): Environment => ({
  known,
  findLinks: known.linker.open(),
  userIds: new Set(),
  groupIds: new Set(),
  mentionsChannel: false,
  mentionsTopic: false,
  added: 0,
  tableCells: 0,
});

/** Whether so many characters more may be added; they count if so. */
export function mayAdd(environment: Environment, characters: number): boolean {
  if (environment.added + characters > MAX_ADDED) return false;
  environment.added += characters;
  return true;
}
