import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { draftRecord } from '#shared/api/contracts/drafts.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toDraftRecord } from '#shared/domain/drafts/draft.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { listDrafts as listOwnDrafts, requireDraftsKept } from '#shared/store/drafts.ts';

/** The caller's drafts, the earliest edit first. */
export const listDrafts = endpoint({
  route: 'GET /drafts',
  summary: 'List drafts',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ count: z.int(), drafts: z.array(draftRecord) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['drafts'] },
  async handle(_params, { services, caller }) {
    await requireDraftsKept(services.table, caller);
    const drafts = await listOwnDrafts(services.table, caller.userId);
    return { count: drafts.length, drafts: drafts.map(toDraftRecord) };
  },
});

export const handler = lambda(listDrafts, awsServices);
