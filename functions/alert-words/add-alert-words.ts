import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength } from '#shared/api/parameters.ts';
import { addAlertWords as decide } from '#shared/domain/alert-words/alert-words.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getAlertWords } from '#shared/store/users/alert-words.ts';

const MAX_WORD = 100;

/** Adds alert words for the caller, which flag later messages that contain them. */
export const addAlertWords = endpoint({
  route: 'POST /users/me/alert_words',
  summary: 'Add alert words',
  allow: 'user',
  scope: 'organize',
  creates: true,
  params: {
    alert_words: json(
      z.array(z.string().check(z.trim(), maxLength(MAX_WORD))),
      'The words; blank words, and existing ones in any letter case, are ignored',
    ),
  },
  result: z.object({ alert_words: z.array(z.string()) }),
  errors: [BadRequest],
  emits: ['alert_words'],
  uses: { table: 'write', areas: ['accounts'] },
  async handle({ alert_words: input }, { services, caller, retry }) {
    const known = await getAlertWords(services.table, caller.userId);
    const { words, change } = decide(caller, known, input);
    return commitWithAnswer(services, retry, change, { alert_words: words });
  },
});

export const handler = lambda(addAlertWords, awsServices);
