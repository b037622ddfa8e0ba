import * as z from 'zod/mini';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { raiseKeyVersion } from '#shared/actions/users/new-api-key.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { getBot } from '#shared/store/users/bots.ts';

/** Invalidates a bot's API key and returns the next one. */
export const regenerateBotApiKey = endpoint({
  route: 'POST /bots/{bot_id}/api_key/regenerate',
  summary: 'Regenerate the API key of a bot',
  allow: 'human',
  needs: ['administerBot'],
  params: { bot_id: json(z.int(), 'The bot') },
  result: z.object({ api_key: z.string() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'write', areas: ['accounts'], secret: true },
  async handle(params, { services, caller }) {
    const bot = await getBot(services.table, caller, params.bot_id);
    const account = await accountOf(services.table, bot);
    const keyVersion = await raiseKeyVersion(services, account);
    return { api_key: await issueApiKey(services, { ...account, keyVersion }) };
  },
});

export const handler = lambda(regenerateBotApiKey, awsServices);
