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
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { createLinkifier as decide } from '#shared/domain/linkifiers/edit.ts';
import { loadEngine } from '#shared/domain/linkifiers/load-engine.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getLinkifiers } from '#shared/store/linkifiers.ts';

/** Adds a rule that turns matching text in later messages and topics into links. */
export const createLinkifier = endpoint({
  route: 'POST /realm/filters',
  summary: 'Create a linkifier',
  allow: 'administrator',
  creates: true,
  params: { pattern: linkifierPattern, url_template: linkifierTemplate, ...linkifierExtras },
  result: z.object({ id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_linkifiers'],
  uses: { table: 'write' },
  async handle({ pattern, url_template: urlTemplate, ...extras }, { services, retry }) {
    const [known, engine] = await Promise.all([getLinkifiers(services.table), loadEngine()]);
    const input = {
      pattern,
      urlTemplate,
      exampleInput: null,
      reverseTemplate: null,
      alternativeUrlTemplates: [],
      ...givenExtras(extras),
    };
    const { id, change } = decide(known, input, engine);
    return commitWithAnswer(services, retry, change, { id });
  },
});

export const handler = lambda(createLinkifier, awsServices);
