import { idSortKey, type Key } from './key.ts';
import { userPartitions } from './users.ts';

const ALLOWANCE = 'ALLOWANCE';

export const draftPartitions = {
  draftsOf: (userId: number) => `DRAFTS#${userId}`,
  scheduledOf: (userId: number) => `SCHEDULED#${userId}`,
};

export const draftPrefixes = { savedSnippet: 'SNIPPET#' };

/** Texts that a user keeps for later: drafts, snippets and scheduled messages. */
export const draftKeys = {
  draft: (userId: number, id: number): Key => ({ pk: draftPartitions.draftsOf(userId), sk: idSortKey(id) }),
  /** Sorts after the drafts; the one of saved snippets after those. */
  draftAllowance: (userId: number): Key => ({ pk: draftPartitions.draftsOf(userId), sk: ALLOWANCE }),
  savedSnippet: (userId: number, id: number): Key => ({
    pk: userPartitions.user(userId),
    sk: `${draftPrefixes.savedSnippet}${idSortKey(id)}`,
  }),
  snippetAllowance: (userId: number): Key => ({
    pk: userPartitions.user(userId),
    sk: `${draftPrefixes.savedSnippet}${ALLOWANCE}`,
  }),
  scheduledMessage: (userId: number, id: number): Key => ({
    pk: draftPartitions.scheduledOf(userId),
    sk: idSortKey(id),
  }),
};
