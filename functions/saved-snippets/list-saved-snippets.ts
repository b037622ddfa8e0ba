import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { snippetRecord } from '#shared/api/contracts/saved-snippets.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toSnippetRecord } from '#shared/domain/saved-snippets/snippet.ts';
import { listSavedSnippets as listOwnSnippets } from '#shared/store/saved-snippets.ts';

/** The caller's saved snippets, oldest first. */
export const listSavedSnippets = endpoint({
  route: 'GET /saved_snippets',
  summary: 'List saved snippets',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ saved_snippets: z.array(snippetRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services, caller }) {
    const snippets = await listOwnSnippets(services.table, caller.userId);
    return { saved_snippets: snippets.map(toSnippetRecord) };
  },
});

export const handler = lambda(listSavedSnippets, awsServices);
