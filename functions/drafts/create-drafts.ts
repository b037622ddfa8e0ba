import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { givenDraft } from '#shared/api/contracts/drafts.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withFractions } from '#shared/api/parameters.ts';
import { newDraftsChange, requireFewDrafts } from '#shared/domain/drafts/changes.ts';
import { readDraft } from '#shared/domain/drafts/read.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { loadDraftAddresses, requireDraftsKept } from '#shared/store/drafts.ts';
import { getAllowance } from '#shared/store/limits/allowances.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Stores drafts of the caller; all or none. */
export const createDrafts = endpoint({
  route: 'POST /drafts',
  summary: 'Create drafts',
  allow: 'user',
  scope: 'send',
  obeysChannels: true,
  creates: true,
  needs: ['knowChannel'],
  params: {
    drafts: withFractions(
      json(z.array(givenDraft), 'The drafts, each as the reference describes it'),
      'timestamp',
    ),
  },
  result: z.object({ ids: z.array(z.int()) }),
  errors: [BadRequest],
  emits: ['drafts/add'],
  uses: { table: 'write', areas: ['drafts'] },
  async handle(params, { services, caller, retry }) {
    const { table, clock } = services;
    const { userId } = caller;
    requireFewDrafts(params.drafts.length);
    // Read before the setting: it changes when synchronization is turned off, so that no draft can be created
    // afterwards.
    const own = { userId, allowance: await getAllowance(table, draftKeys.draftAllowance(userId)) };
    await requireDraftsKept(table, caller);
    if (params.drafts.length === 0) return { ids: [] };
    const addresses = await loadDraftAddresses(table, caller, params.drafts);
    const nowSeconds = toSeconds(clock.nowMs());
    const texts = params.drafts.map((input) => readDraft(input, addresses, nowSeconds));
    // Checks the quota before ids are used up.
    newDraftsChange(own, texts, texts.length);
    const lastId = await table.increment(organizationKeys.counter('draft'), 'id', texts.length);
    const ids = texts.map((_text, index) => lastId - texts.length + 1 + index);
    return commitWithAnswer(services, retry, newDraftsChange(own, texts, lastId), { ids });
  },
});

export const handler = lambda(createDrafts, awsServices);
