import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { draftRemovalChange } from '#shared/domain/drafts/changes.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { getDraft, requireDraftsKept } from '#shared/store/drafts.ts';

/** Deletes a draft. */
export const deleteDraft = endpoint({
  route: 'DELETE /drafts/{draft_id}',
  summary: 'Delete a draft',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: { draft_id: json(z.int(), 'The draft') },
  result: nothing,
  errors: [BadRequest, NotFound],
  emits: ['drafts/remove'],
  uses: { table: 'write', areas: ['drafts'] },
  async handle({ draft_id: draftId }, { services, caller }) {
    await requireDraftsKept(services.table, caller);
    const { draft, allowance } = await getDraft(services.table, caller.userId, draftId);
    await commit(services, draftRemovalChange(allowance, draft));
    return {};
  },
});

export const handler = lambda(deleteDraft, awsServices);
