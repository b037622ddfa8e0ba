import { BadRequest } from '#shared/domain/errors.ts';

/** Texts by key that an account, usually a bot, stores between runs. */
export type BotStorage = ReadonlyMap<string, string>;

/**
 * The total of keys and values of one account. Compressed they fit into one item, whatever their characters.
 */
export const MAX_STORAGE_CHARACTERS = 100_000;

/** Adds or replaces texts. @throws BadRequest when the limit is exceeded */
export function storageWith(storage: BotStorage, entries: Iterable<[string, string]>): BotStorage {
  const next = new Map([...storage, ...entries]);
  const excess = charactersOf(next) - MAX_STORAGE_CHARACTERS;
  if (excess > 0)
    throw new BadRequest(
      `Request exceeds storage limit by ${excess} characters. The limit is ${MAX_STORAGE_CHARACTERS} characters.`,
    );
  return next;
}

/** Removes keys; all of them when none are named. @throws BadRequest for a missing key */
export function storageWithout(storage: BotStorage, removedKeys: string[]): BotStorage {
  if (removedKeys.length === 0) return new Map();
  requireKeys(storage, removedKeys);
  const removed = new Set(removedKeys);
  return new Map([...storage].filter(([key]) => !removed.has(key)));
}

/** The texts of some keys; all of them when none are named. @throws BadRequest for a missing key */
export function pickFrom(storage: BotStorage, wantedKeys: string[]): BotStorage {
  if (wantedKeys.length === 0) return storage;
  requireKeys(storage, wantedKeys);
  return new Map(wantedKeys.map((key) => [key, storage.get(key) ?? '']));
}

function requireKeys(storage: BotStorage, wantedKeys: string[]): void {
  if (wantedKeys.some((key) => !storage.has(key))) throw new BadRequest('Key does not exist.');
}

/** In UTF-16 code units, an upper bound for the number of characters. */
function charactersOf(storage: BotStorage): number {
  let count = 0;
  for (const [key, value] of storage) count += key.length + value.length;
  return count;
}
