import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { snippetContent, snippetTitle } from '#shared/api/contracts/saved-snippets.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { newSnippetChange } from '#shared/domain/saved-snippets/changes.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getAllowance } from '#shared/store/limits/allowances.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Saves a text for repeated use by the caller. */
export const createSavedSnippet = endpoint({
  route: 'POST /saved_snippets',
  summary: 'Create a saved snippet',
  allow: 'user',
  scope: 'send',
  creates: true,
  params: {
    title: text(snippetTitle, 'Its title'),
    content: text(snippetContent, 'Markdown source'),
  },
  result: z.object({ saved_snippet_id: z.int() }),
  errors: [BadRequest],
  emits: ['saved_snippets/add'],
  uses: { table: 'write' },
  async handle({ title, content }, { services, caller, retry }) {
    const { table, clock } = services;
    const { userId } = caller;
    const allowance = await getAllowance(table, draftKeys.snippetAllowance(userId));
    const input = { userId, title, content, createdAtSeconds: toSeconds(clock.nowMs()), revision: 1 };
    // Checks the quota before an id is used up.
    newSnippetChange(allowance, { ...input, snippetId: 0 });
    const snippetId = await table.increment(organizationKeys.counter('saved-snippet'), 'id');
    return commitWithAnswer(services, retry, newSnippetChange(allowance, { ...input, snippetId }), {
      saved_snippet_id: snippetId,
    });
  },
});

export const handler = lambda(createSavedSnippet, awsServices);
