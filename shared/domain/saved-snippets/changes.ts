import { type Allowance, allows, countWrite, kilobytesOf } from '#shared/domain/allowance.ts';
import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { LogEvent, UntypedPayload } from '#shared/events/catalogue.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import type { Condition, Write } from '#shared/table/table.ts';
import { type SavedSnippet, toSnippetRecord } from './snippet.ts';

/** @throws BadRequest when the quota is full */
export const newSnippetChange = (allowance: Allowance, snippet: SavedSnippet): Change => ({
  writes: [putWrite(snippet, { exists: false }), ...roomWrites(snippet, allowance, sizeOf(snippet))],
  events: [toOwner(snippet, { op: 'add', saved_snippet: toSnippetRecord(snippet) })],
});

export interface SnippetEdit {
  title?: string | undefined;
  content?: string | undefined;
}

/** Edits a snippet; undefined when nothing changes. @throws BadRequest */
export function snippetEditChange(
  allowance: Allowance,
  previous: SavedSnippet,
  { title = previous.title, content = previous.content }: SnippetEdit,
): Change | undefined {
  if (title === previous.title && content === previous.content) return undefined;
  const { revision } = previous;
  const next: SavedSnippet = { ...previous, title, content, revision: revision + 1 };
  return {
    writes: [
      putWrite(next, { equals: { revision } }),
      ...roomWrites(next, allowance, sizeOf(next) - sizeOf(previous)),
    ],
    events: [toOwner(next, { op: 'update', saved_snippet: toSnippetRecord(next) })],
  };
}

export function snippetRemovalChange(allowance: Allowance, snippet: SavedSnippet): Change {
  const { userId, snippetId, revision } = snippet;
  const key = draftKeys.savedSnippet(userId, snippetId);
  return {
    writes: [
      { kind: 'delete', key, condition: { equals: { revision } } },
      ...roomWrites(snippet, allowance, -sizeOf(snippet)),
    ],
    events: [toOwner(snippet, { op: 'remove', saved_snippet_id: snippetId })],
  };
}

const sizeOf = (snippet: SavedSnippet): number => kilobytesOf(toSnippetRecord(snippet));

const putWrite = (snippet: SavedSnippet, condition: Condition): Write => ({
  kind: 'put',
  item: { ...draftKeys.savedSnippet(snippet.userId, snippet.snippetId), ...snippet },
  condition,
});

function roomWrites({ userId }: SavedSnippet, allowance: Allowance, kilobytes: number): Write[] {
  if (!allows(allowance, kilobytes))
    throw new BadRequest('There is no room for more saved snippets; delete some.');
  return kilobytes === 0 ? [] : [countWrite(draftKeys.snippetAllowance(userId), allowance, kilobytes)];
}

const toOwner = ({ userId }: SavedSnippet, payload: UntypedPayload<'saved_snippets'>): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: { type: 'saved_snippets', ...payload },
});
