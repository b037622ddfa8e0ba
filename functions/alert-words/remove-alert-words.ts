import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { removeAlertWords as decide } from '#shared/domain/alert-words/alert-words.ts';
import { commit } from '#shared/log/commit.ts';
import { getAlertWords } from '#shared/store/users/alert-words.ts';

/** Removes the caller's alert words; messages flagged before keep the flag. */
export const removeAlertWords = endpoint({
  route: 'DELETE /users/me/alert_words',
  summary: 'Remove alert words',
  allow: 'user',
  scope: 'organize',
  params: {
    alert_words: json(
      z.array(z.string().check(z.trim())),
      'The words, in any letter case; unknown ones are ignored',
    ),
  },
  result: z.object({ alert_words: z.array(z.string()) }),
  errors: [],
  emits: ['alert_words'],
  uses: { table: 'write', areas: ['accounts'] },
  async handle({ alert_words: input }, { services, caller }) {
    const known = await getAlertWords(services.table, caller.userId);
    const { words, change } = decide(caller, known, input);
    await commit(services, change);
    return { alert_words: words };
  },
});

export const handler = lambda(removeAlertWords, awsServices);
