import * as z from 'zod/mini';
import { countCreation } from '#shared/actions/channels/count-within-day.ts';
import { keepAvatar } from '#shared/actions/pictures/keep-picture.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { deriveApiKey, digestOfKey } from '#shared/api/auth/api-key.ts';
import {
  BOT_AVATAR,
  botDefaults,
  configData,
  describedDefaults,
  readBotDefaults,
  readService,
} from '#shared/api/contracts/bots.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withDefault } from '#shared/api/parameters.ts';
import { mergeChanges } from '#shared/domain/change.ts';
import { BadImage, BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { checkIntegration } from '#shared/domain/integrations/bot-integration.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { standInPicture } from '#shared/domain/pictures/generated.ts';
import { avatarUrl } from '#shared/domain/users/avatar.ts';
import { describeDefaults } from '#shared/domain/users/bot-record.ts';
import {
  botCreationChange,
  botCreators,
  botEmail,
  checkBotType,
  createBot as createBotAccount,
  noDefaults,
  requireMayCreateBots,
  requireRoomForBot,
} from '#shared/domain/users/bots.ts';
import { checkFullName } from '#shared/domain/users/create.ts';
import { requireUniqueName } from '#shared/domain/users/unique-name.ts';
import { botTypes } from '#shared/domain/users/user.ts';
import { serviceInterfaces } from '#shared/domain/webhooks/service.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { configurationWrites } from '#shared/store/integrations/bot-configuration.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { listBotsOf } from '#shared/store/users/bots.ts';
import { findAccount, listUsers } from '#shared/store/users/users.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Creates a bot owned by the caller. */
export const createBot = endpoint({
  route: 'POST /bots',
  summary: 'Create a bot',
  allow: 'humanMember',
  creates: true,
  needs: ['createBot'],
  params: {
    full_name: text(z.string(), 'The name that others see'),
    short_name: text(z.string(), 'The short name from which its address is derived'),
    bot_type: withDefault(
      json(
        z.int(),
        '1 has the rights of a person, 2 only sends messages, 3 calls a server when it is addressed',
      ),
      botTypes.generic,
    ),
    payload_url: withDefault(json(z.string(), 'The address that a bot of type 3 calls'), ''),
    interface_type: withDefault(
      json(z.int(), 'The format of its requests: 1 generic, 2 as Slack'),
      serviceInterfaces.generic,
    ),
    service_name: optional(text(z.string(), 'The integration that a bot of type 2 is made for')),
    config_data: withDefault(configData, {}),
    ...botDefaults,
  },
  files: BOT_AVATAR,
  result: z.object({
    user_id: z.int(),
    api_key: z.string(),
    avatar_url: z.string(),
    ...describedDefaults,
  }),
  errors: [BadImage, BadRequest, UnauthorizedPrincipal],
  emits: ['realm_user/add', 'realm_bot/add', 'user_group/add_members'],
  uses: {
    table: 'write',
    areas: ['accounts'],
    files: 'write',
    folders: ['pictures'],
    images: true,
    secret: true,
  },
  memoryMegabytes: 1769,
  async handle(params, { services, caller, retry, files: [file] }) {
    const { table } = services;
    const organization = await getOrganization(table);
    const type = checkBotType(params.bot_type);
    await learnMemberships(table, caller, botCreators(type, organization.groups));
    requireMayCreateBots(caller, type, organization.groups);
    const fullName = checkFullName(params.full_name);
    const email = botEmail(params.short_name, mailDomainOf(organization));
    if (await findAccount(table, email)) throw new BadRequest('Username already in use');
    if (organization.settings.require_unique_names)
      requireUniqueName(fullName, await listUsers(table), undefined);
    requireRoomForBot(await listBotsOf(table, caller), services.config.recordLimits.botsOfOwner);
    const made = checkIntegration(type, params.service_name, params.config_data);
    const service =
      type === botTypes.outgoingWebhook &&
      readService(services, { url: params.payload_url, interface: params.interface_type });
    const settings = await readBotDefaults(
      table,
      caller,
      { ...noDefaults(type), ...(service && { service }) },
      params,
    );
    const nowSeconds = toSeconds(services.clock.nowMs());
    const { waiting_period_threshold } = organization.settings;
    const secret = await services.secret();
    const create = async (avatarPicture?: string) => {
      const userId = await table.increment(organizationKeys.counter('user'), 'id');
      const input = {
        userId,
        email,
        fullName,
        nowSeconds,
        avatarPicture: avatarPicture ?? standInPicture(organization, userId),
      };
      const created = createBotAccount(input, caller, { ...settings, ...made.settings });
      const apiKey = deriveApiKey(secret, userId, created.keyVersion);
      const account = { ...created, apiKeyDigest: digestOfKey(apiKey, created.keyVersion) };
      const answer = {
        user_id: userId,
        api_key: apiKey,
        avatar_url: avatarUrl(account),
        ...describeDefaults(account),
      };
      const change = botCreationChange(account, caller, waiting_period_threshold);
      const kept = { writes: configurationWrites(userId, made.configuration) };
      return commitWithAnswer(services, retry, mergeChanges(change, kept), answer);
    };
    return countCreation(services, caller, 'BOTS', () =>
      file ? keepAvatar(services, file.bytes, create) : create(),
    );
  },
});

export const handler = lambda(createBot, awsServices);
