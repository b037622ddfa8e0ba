import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { givenDraft } from '#shared/api/contracts/drafts.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withFractions } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { draftEditChange } from '#shared/domain/drafts/changes.ts';
import { readDraft } from '#shared/domain/drafts/read.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getDraft, loadDraftAddresses, requireDraftsKept } from '#shared/store/drafts.ts';

/** Replaces a draft. */
export const editDraft = endpoint({
  route: 'PATCH /drafts/{draft_id}',
  summary: 'Edit a draft',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: {
    draft_id: json(z.int(), 'The draft'),
    draft: withFractions(json(givenDraft, 'The new draft, as the reference describes it'), 'timestamp'),
  },
  result: nothing,
  errors: [BadRequest, NotFound],
  emits: ['drafts/update'],
  uses: { table: 'write', areas: ['drafts'] },
  async handle(params, { services, caller }) {
    const { table, clock } = services;
    await requireDraftsKept(table, caller);
    const { draft, allowance } = await getDraft(table, caller.userId, params.draft_id);
    const addresses = await loadDraftAddresses(table, caller, [params.draft]);
    const text = readDraft(params.draft, addresses, toSeconds(clock.nowMs()));
    await commit(services, draftEditChange(allowance, draft, text));
    return {};
  },
});

export const handler = lambda(editDraft, awsServices);
