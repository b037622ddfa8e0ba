import type { TextKey } from '#shared/domain/texts/texts.ts';

/** A notice of an update. Levels only grow, and each is posted once. */
interface ProductUpdate {
  level: number;
  text: Extract<TextKey, 'updates.firstVersion'>;
}

const updates: readonly ProductUpdate[] = [{ level: 1, text: 'updates.firstVersion' }];

/** The level of the newest notice; a new organization begins with it. */
export const newestUpdateLevel = Math.max(...updates.map(({ level }) => level));

/** The texts of the notices after a level, oldest first. */
export const updatesAfter = (level: number): ProductUpdate['text'][] =>
  updates.filter((update) => update.level > level).map(({ text }) => text);
