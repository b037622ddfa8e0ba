import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { snippetRemovalChange } from '#shared/domain/saved-snippets/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { getSavedSnippet } from '#shared/store/saved-snippets.ts';

/** Deletes a saved snippet. */
export const deleteSavedSnippet = endpoint({
  route: 'DELETE /saved_snippets/{saved_snippet_id}',
  summary: 'Delete a saved snippet',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: { saved_snippet_id: json(z.int(), 'The saved snippet') },
  result: nothing,
  errors: [NotFound],
  emits: ['saved_snippets/remove'],
  uses: { table: 'write' },
  async handle({ saved_snippet_id: snippetId }, { services, caller }) {
    const { snippet, allowance } = await getSavedSnippet(services.table, caller.userId, snippetId);
    await commit(services, snippetRemovalChange(allowance, snippet));
    return {};
  },
});

export const handler = lambda(deleteSavedSnippet, awsServices);
