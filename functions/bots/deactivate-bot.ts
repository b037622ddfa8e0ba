import * as z from 'zod/mini';
import { deactivate } from '#shared/actions/users/deactivate.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { getBot } from '#shared/store/users/bots.ts';

/** Deactivates a bot; no effect on a deactivated one. */
export const deactivateBot = endpoint({
  route: 'DELETE /bots/{bot_id}',
  summary: 'Deactivate a bot',
  allow: 'user',
  needs: ['administerBot'],
  params: { bot_id: json(z.int(), 'The bot') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_user/update', 'user_group/remove_members', 'subscription/peer_remove'],
  uses: { table: 'write', areas: ['accounts', 'invitations'], bus: true },
  async handle(params, { services, caller }) {
    const bot = await getBot(services.table, caller, params.bot_id);
    if (bot.isActive) await deactivate(services, bot, [], undefined);
    return {};
  },
});

export const handler = lambda(deactivateBot, awsServices);
