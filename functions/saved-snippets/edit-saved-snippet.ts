import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { snippetContent, snippetTitle } from '#shared/api/contracts/saved-snippets.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import { snippetEditChange } from '#shared/domain/saved-snippets/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { getSavedSnippet } from '#shared/store/saved-snippets.ts';

/** Changes a saved snippet. */
export const editSavedSnippet = endpoint({
  route: 'PATCH /saved_snippets/{saved_snippet_id}',
  summary: 'Edit a saved snippet',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: {
    saved_snippet_id: json(z.int(), 'The saved snippet'),
    title: optional(text(snippetTitle, 'Its title')),
    content: optional(text(snippetContent, 'Markdown source')),
  },
  result: nothing,
  errors: [BadRequest, NotFound],
  emits: ['saved_snippets/update'],
  uses: { table: 'write' },
  async handle({ saved_snippet_id: snippetId, title, content }, { services, caller }) {
    if (title === undefined && content === undefined) throw new BadRequest('No new data supplied');
    const { snippet, allowance } = await getSavedSnippet(services.table, caller.userId, snippetId);
    const change = snippetEditChange(allowance, snippet, { title, content });
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editSavedSnippet, awsServices);
