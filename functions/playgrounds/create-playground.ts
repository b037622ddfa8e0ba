import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, notBlank, text, withoutUnfitCharacters } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { createPlayground as decide } from '#shared/domain/playgrounds/playgrounds.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getPlaygrounds } from '#shared/store/playgrounds.ts';

const MAX_NAME = 100;
const MAX_LANGUAGE = 40;

/** Adds a site to which clients send code of a language to run it. */
export const createPlayground = endpoint({
  route: 'POST /realm/playgrounds',
  summary: 'Create a code playground',
  allow: 'administrator',
  creates: true,
  params: {
    name: text(
      z.string().check(z.trim(), notBlank(), maxLength(MAX_NAME), withoutUnfitCharacters()),
      'Its name',
    ),
    pygments_language: text(
      z.string().check(z.trim(), notBlank(), maxLength(MAX_LANGUAGE)),
      'The language of the blocks of code that it is for',
    ),
    url_template: text(
      z.string().check(z.trim(), notBlank()),
      'The address for the code: an RFC 6570 template with the variable `code`',
    ),
  },
  result: z.object({ id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_playgrounds'],
  uses: { table: 'write' },
  async handle({ name, pygments_language: language, url_template: urlTemplate }, { services, retry }) {
    const known = await getPlaygrounds(services.table);
    const { id, change } = decide(known, { name, language, urlTemplate });
    return commitWithAnswer(services, retry, change, { id });
  },
});

export const handler = lambda(createPlayground, awsServices);
