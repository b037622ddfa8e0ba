import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import {
  givenExtras,
  linkifierExtras,
  linkifierPattern,
  linkifierTemplate,
} from '#shared/api/contracts/linkifiers.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { editLinkifier as decide } from '#shared/domain/linkifiers/edit.ts';
import { loadEngine } from '#shared/domain/linkifiers/load-engine.ts';
import { commit } from '#shared/log/commit.ts';
import { getLinkifiers } from '#shared/store/linkifiers.ts';

/** Changes a linkifier in place; existing links stay. */
export const editLinkifier = endpoint({
  route: 'PATCH /realm/filters/{filter_id}',
  summary: 'Edit a linkifier',
  allow: 'administrator',
  params: {
    filter_id: json(z.int(), 'The linkifier'),
    pattern: linkifierPattern,
    url_template: linkifierTemplate,
    ...linkifierExtras,
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_linkifiers'],
  uses: { table: 'write' },
  async handle({ filter_id: id, pattern, url_template: urlTemplate, ...extras }, { services }) {
    const [known, engine] = await Promise.all([getLinkifiers(services.table), loadEngine()]);
    await commit(services, decide(known, id, { pattern, urlTemplate, ...givenExtras(extras) }, engine));
    return {};
  },
});

export const handler = lambda(editLinkifier, awsServices);
