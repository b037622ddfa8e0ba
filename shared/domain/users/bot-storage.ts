import { BadRequest } from '#shared/domain/errors.ts';

/** What an account, nearly always a bot, keeps from one run to the next: texts by key. */
export type BotStorage = ReadonlyMap<string, string>;

/** Of all keys and values of one account. Packed they fit into one item, whatever their characters are. */
export const MAX_STORAGE_CHARACTERS = 100_000;

/** The storage with these texts in it, over those with the same keys. @throws BadRequest where there is no room */
export function storageWith(storage: BotStorage, entries: Iterable<[string, string]>): BotStorage {
  const next = new Map([...storage, ...entries]);
  const excess = charactersOf(next) - MAX_STORAGE_CHARACTERS;
  if (excess > 0)
    throw new BadRequest(
      `Request exceeds storage limit by ${excess} characters. The limit is ${MAX_STORAGE_CHARACTERS} characters.`,
    );
  return next;
}

/** The storage without these keys; without anything where none are named. @throws BadRequest for a key that it lacks */
export function storageWithout(storage: BotStorage, removedKeys: string[]): BotStorage {
  if (removedKeys.length === 0) return new Map();
  requireKeys(storage, removedKeys);
  const removed = new Set(removedKeys);
  return new Map([...storage].filter(([key]) => !removed.has(key)));
}

/** The texts with these keys; all of them where none are named. @throws BadRequest for a key that it lacks */
export function pickFrom(storage: BotStorage, wantedKeys: string[]): BotStorage {
  if (wantedKeys.length === 0) return storage;
  requireKeys(storage, wantedKeys);
  return new Map(wantedKeys.map((key) => [key, storage.get(key) ?? '']));
}

function requireKeys(storage: BotStorage, wantedKeys: string[]): void {
  if (wantedKeys.some((key) => !storage.has(key))) throw new BadRequest('Key does not exist.');
}

/** In UTF-16 code units, which are never fewer than the characters that people count. */
function charactersOf(storage: BotStorage): number {
  let count = 0;
  for (const [key, value] of storage) count += key.length + value.length;
  return count;
}
