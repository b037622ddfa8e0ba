import * as z from 'zod/mini';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { deriveApiKey } from '#shared/api/auth/api-key.ts';
import { describedDefaults } from '#shared/api/contracts/bots.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { avatarUrl } from '#shared/domain/users/avatar.ts';
import { describeDefaults } from '#shared/domain/users/bot-record.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { listBotsOf } from '#shared/store/users/bots.ts';

/** The caller's own active bots, with their keys. */
export const listBots = endpoint({
  route: 'GET /bots',
  summary: 'List own bots',
  allow: 'human',
  params: {},
  result: z.object({
    bots: z.array(
      z.object({
        username: z.string(),
        full_name: z.string(),
        api_key: z.string(),
        avatar_url: z.string(),
        ...describedDefaults,
      }),
    ),
  }),
  errors: [],
  emits: [],
  uses: { table: 'read', secret: true },
  async handle(_params, { services, caller }) {
    const secret = await services.secret();
    const bots = await mapConcurrently(await listBotsOf(services.table, caller), async (bot) => {
      const { keyVersion } = await accountOf(services.table, bot);
      return {
        username: bot.email,
        full_name: bot.fullName,
        api_key: deriveApiKey(secret, bot.userId, keyVersion),
        avatar_url: avatarUrl(bot),
        ...describeDefaults(bot),
      };
    });
    return { bots };
  },
});

export const handler = lambda(listBots, awsServices);
