import * as z from 'zod/mini';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { deriveApiKey } from '#shared/api/auth/api-key.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { getBot } from '#shared/store/users/bots.ts';

/** The API key of a bot, for its owner and administrators. */
export const getBotApiKey = endpoint({
  route: 'GET /bots/{bot_id}/api_key',
  summary: 'Get the API key of a bot',
  allow: 'human',
  needs: ['administerBot'],
  params: { bot_id: json(z.int(), 'The bot') },
  result: z.object({ api_key: z.string() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'read', secret: true },
  async handle(params, { services, caller }) {
    const bot = await getBot(services.table, caller, params.bot_id);
    const { keyVersion } = await accountOf(services.table, bot);
    return { api_key: deriveApiKey(await services.secret(), bot.userId, keyVersion) };
  },
});

export const handler = lambda(getBotApiKey, awsServices);
