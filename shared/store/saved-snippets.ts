import type { Allowance } from '#shared/domain/allowance.ts';
import { NotFound } from '#shared/domain/errors.ts';
import type { SavedSnippet } from '#shared/domain/saved-snippets/snippet.ts';
import { draftKeys, draftPrefixes } from '#shared/table/keys/drafts.ts';
import { userPartitions } from '#shared/table/keys/users.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';
import { getAllowance } from './limits/allowances.ts';

/** A saved snippet of the user, and the user's quota. @throws NotFound also for another user's snippet */
export async function getSavedSnippet(
  table: Table,
  userId: number,
  snippetId: number,
): Promise<{ snippet: SavedSnippet; allowance: Allowance }> {
  const [item, allowance] = await Promise.all([
    table.find(draftKeys.savedSnippet(userId, snippetId)),
    getAllowance(table, draftKeys.snippetAllowance(userId)),
  ]);
  if (!item) throw new NotFound('Saved snippet does not exist.');
  return { snippet: toSnippet(item), allowance };
}

/** The user's saved snippets, oldest first. One query. */
export async function listSavedSnippets(table: Table, userId: number): Promise<SavedSnippet[]> {
  const items = await table.list({
    partition: userPartitions.user(userId),
    prefix: draftPrefixes.savedSnippet,
    consistent: true,
  });
  return snippetsAmong(items, userId);
}

/** The saved snippets among the items of the user's partition, oldest first. */
export const snippetsAmong = (items: Item[], userId: number): SavedSnippet[] =>
  items
    .filter(
      ({ sk }) =>
        String(sk).startsWith(draftPrefixes.savedSnippet) && sk !== draftKeys.snippetAllowance(userId).sk,
    )
    .map(toSnippet);

function toSnippet({ pk: _pk, sk: _sk, ...snippet }: Item): SavedSnippet {
  return recordOf<SavedSnippet>(snippet);
}
