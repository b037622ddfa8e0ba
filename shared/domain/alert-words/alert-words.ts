import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { userWrites } from '#shared/domain/users/writes.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Condition, Write } from '#shared/table/table.ts';

/** A word and the log positions between which it was an alert word; the end is open for a current word. */
export interface AlertWord {
  word: string;
  after: number;
  upTo?: number;
}

export interface AlertWords {
  /** Current words in the order of addition. */
  words: AlertWord[];
  /** Removed words in the same order. */
  past: AlertWord[];
  revision: number;
}

/** All words of a user are in one item and in every event. */
export const MAX_ALERT_WORDS = 1_000;
const MAX_CHARACTERS = 20_000;

/** A change of alert words: the list for the caller, and the change that stores it. */
export interface AlertWordsChange {
  words: string[];
  change: Change;
}

/**
 * Words that exist in any letter case keep their spelling; among several new spellings the last wins.
 * @throws BadRequest for too many words
 */
export function addAlertWords(account: Account, known: AlertWords, input: string[]): AlertWordsChange {
  const has = new Set(known.words.map(({ word }) => toCanonical(word)));
  const spellings = new Map(
    input.filter((word) => word !== '').map((word) => [toCanonical(word), word] as const),
  );
  const added = [...spellings].filter(([canonical]) => !has.has(canonical)).map(([, word]) => word);
  const words = [...known.words.map(({ word }) => word), ...added];
  if (words.length > MAX_ALERT_WORDS)
    throw new BadRequest(`You cannot have more than ${MAX_ALERT_WORDS} alert words`);
  if (lengthOf(words) > MAX_CHARACTERS)
    throw new BadRequest(`Your alert words are too long together (limit: ${MAX_CHARACTERS} characters)`);
  if (added.length === 0) return unchanged(account, known);
  return {
    words,
    change: {
      writes: (position) => [
        storeWrite(account, known, {
          words: [...known.words, ...added.map((word) => ({ word, after: position }))],
          past: known.past,
        }),
        ...(account.hasAlertWords ? [] : userWrites(account, {}, { account: { hasAlertWords: true } })),
      ],
      events: [toldTo(account, words)],
    },
  };
}

/** Unknown words, compared without letter case, are ignored. */
export function removeAlertWords(account: Account, known: AlertWords, input: string[]): AlertWordsChange {
  const unwanted = new Set(input.map(toCanonical));
  const isUnwanted = ({ word }: AlertWord): boolean => unwanted.has(toCanonical(word));
  const removed = known.words.filter(isUnwanted);
  if (removed.length === 0) return unchanged(account, known);
  const kept = known.words.filter((word) => !isUnwanted(word));
  const words = kept.map(({ word }) => word);
  return {
    words,
    change: {
      writes: (position) => [
        storeWrite(account, known, {
          words: kept,
          past: newestOf([...known.past, ...removed.map((word) => ({ ...word, upTo: position }))]),
        }),
      ],
      events: [toldTo(account, words)],
    },
  };
}

/** The caller's clients are informed even when nothing changed, so the list must be current. */
function unchanged(account: Account, known: AlertWords): AlertWordsChange {
  const words = known.words.map(({ word }) => word);
  const check: Write = {
    kind: 'check',
    key: userKeys.alertWords(account.userId),
    condition: isAsKnown(known),
  };
  return { words, change: { writes: [check], events: [toldTo(account, words)] } };
}

const storeWrite = (
  { userId }: Account,
  known: AlertWords,
  next: Pick<AlertWords, 'words' | 'past'>,
): Write => ({
  kind: 'put',
  item: { ...userKeys.alertWords(userId), ...next, revision: known.revision + 1 },
  condition: isAsKnown(known),
});

const isAsKnown = ({ revision }: AlertWords): Condition =>
  revision === 0 ? { exists: false } : { equals: { revision } };

const toldTo = ({ userId }: Account, words: string[]): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: { type: 'alert_words', alert_words: words },
});

/** Keeps the newest removed words; messages from before lose the flags of older ones. */
function newestOf(past: AlertWord[]): AlertWord[] {
  let length = 0;
  const from = past.findLastIndex(({ word }, index) => {
    length += lengthOf([word]);
    return length > MAX_CHARACTERS || past.length - index > MAX_ALERT_WORDS;
  });
  return past.slice(from + 1);
}

const lengthOf = (words: string[]): number => words.reduce((sum, word) => sum + [...word].length, 0);
