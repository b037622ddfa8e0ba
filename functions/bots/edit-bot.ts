import * as z from 'zod/mini';
import { dropAvatar, keepAvatar } from '#shared/actions/pictures/keep-picture.ts';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
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
import { json, optional, text, type ValuesOf, withDefault } from '#shared/api/parameters.ts';
import { mergeChanges } from '#shared/domain/change.ts';
import { BadImage, BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { type BotConfiguration, mergeConfiguration } from '#shared/domain/integrations/bot-integration.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { avatarEdit, avatarUrl } from '#shared/domain/users/avatar.ts';
import { checkCommands, commandEdits } from '#shared/domain/users/bot-commands.ts';
import { describeDefaults } from '#shared/domain/users/bot-record.ts';
import {
  botDefaultEdits,
  botEmail,
  botOwnerEdit,
  checkNewOwner,
  noDefaults,
  requireRoomForBot,
  serviceEdits,
} from '#shared/domain/users/bots.ts';
import { editChange, emailEdit, nameEdits, type UserEdit } from '#shared/domain/users/edit.ts';
import { requireRoleOfOwner, sameRoleCheck } from '#shared/domain/users/role.ts';
import { requireUniqueName } from '#shared/domain/users/unique-name.ts';
import { type BotSettings, botTypes, displayEmailOf, type User } from '#shared/domain/users/user.ts';
import { serviceInterfaces } from '#shared/domain/webhooks/service.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { configurationWrites, getBotConfiguration } from '#shared/store/integrations/bot-configuration.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getBot, listBotsOf } from '#shared/store/users/bots.ts';
import { findAccount, findUser, listUsers, listUsersById } from '#shared/store/users/users.ts';
import { listSeen } from '#shared/store/visibility/visible-users.ts';
import type { Table } from '#shared/table/table.ts';

const params = {
  bot_id: json(z.int(), 'The bot'),
  full_name: optional(text(z.string(), 'The name that others see; ignored when it is white space')),
  short_name: optional(text(z.string(), 'The new short name, from which its address is derived')),
  bot_owner_id: optional(json(z.int(), 'The new owner')),
  service_payload_url: optional(json(z.string(), 'The address that a bot of type 3 calls')),
  service_interface: withDefault(
    json(z.int(), 'The format of its requests, if `service_payload_url` is given: 1 generic, 2 as Slack'),
    serviceInterfaces.generic,
  ),
  config_data: optional(configData),
  commands: optional(
    json(
      z.array(z.object({ name: z.string(), description: z.string() })),
      'The commands that clients offer at the beginning of a message; the bot itself may declare them, too',
    ),
  ),
  ...botDefaults,
};

/** Changes a bot: its name, address, owner, defaults and commands. */
export const editBot = endpoint({
  route: 'PATCH /bots/{bot_id}',
  summary: 'Update a bot',
  allow: 'user',
  needs: ['administerBot'],
  params,
  files: BOT_AVATAR,
  result: z.object({
    full_name: z.string(),
    avatar_url: z.string(),
    bot_owner: z.optional(z.string()),
    service_interface: z.nullable(z.int()),
    service_payload_url: z.nullable(z.string()),
    bot_commands: z.array(z.object({ name: z.string(), description: z.string() })),
    ...describedDefaults,
  }),
  errors: [BadImage, BadRequest, UnauthorizedPrincipal],
  emits: ['realm_user/update', 'realm_bot/update', 'realm_bot/add', 'realm_bot/delete'],
  uses: { table: 'write', areas: ['accounts'], files: 'write', folders: ['pictures'], images: true },
  memoryMegabytes: 1769,
  async handle(input, { services, caller, files: [file] }) {
    const { table } = services;
    const bot = declaresOwnCommands(caller, input) ? caller : await getBot(table, caller, input.bot_id);
    const previous = bot.botOwnerId === null ? undefined : await findUser(table, bot.botOwnerId);
    const present = bot.bot ?? noDefaults(botTypes.generic);
    const settings = await readBotDefaults(
      table,
      caller,
      withServiceAndCommands(services, present, input),
      input,
    );
    const edits = [
      ...(await loadNameEdits(table, bot, input)),
      ...(await loadAddressEdits(table, bot, input)),
      ...botDefaultEdits(bot, settings, previous),
      ...serviceEdits(bot, settings, previous),
      ...commandEdits(bot, settings),
      ...(await loadOwnerEdits(services, caller, { ...bot, bot: settings }, previous, input)),
    ];
    const configuration = await readConfiguration(table, bot, input);
    const account = await accountOf(table, bot);
    const apply = async (picture?: string): Promise<void> => {
      if (picture !== undefined) edits.push(avatarEdit(bot, picture));
      const change = editChange(account, edits);
      const kept = { writes: configurationWrites(bot.userId, configuration) };
      if (change || configuration) await commit(services, mergeChanges(change ?? {}, kept));
    };
    await (file ? keepAvatar(services, file.bytes, apply) : apply());
    if (file) await dropAvatar(services, bot.avatarPicture);
    const now: User = Object.assign({ ...bot }, ...edits.map(({ set }) => set));
    const owner = now.botOwnerId === null ? undefined : await findUser(table, now.botOwnerId);
    return {
      full_name: now.fullName,
      avatar_url: avatarUrl(now),
      service_interface: now.bot?.service?.interface ?? null,
      service_payload_url: now.bot?.service?.baseUrl ?? null,
      bot_commands: now.bot?.commands ?? [],
      ...describeDefaults(now),
      ...(owner && { bot_owner: displayEmailOf(owner) }),
    };
  },
});

export const handler = lambda(editBot, awsServices);

type Given = ValuesOf<typeof params>;

async function loadNameEdits(table: Table, bot: User, input: Given): Promise<UserEdit[]> {
  const edits = nameEdits(bot, input.full_name);
  const fullName = edits[0]?.set.fullName;
  if (fullName === undefined) return [];
  const { settings } = await getOrganization(table);
  if (settings.require_unique_names) requireUniqueName(fullName, await listUsers(table), bot);
  return edits;
}

/** Whether a bot declares its commands, and changes nothing else. */
const declaresOwnCommands = (caller: User, { bot_id, commands, ...others }: Given): boolean =>
  caller.isBot &&
  caller.userId === bot_id &&
  commands !== undefined &&
  Object.entries(others).every(([name, value]) => value === undefined || name === 'service_interface');

function withServiceAndCommands(services: Services, bot: BotSettings, input: Given): BotSettings {
  const next = withService(services, bot, input);
  return input.commands === undefined ? next : { ...next, commands: checkCommands(input.commands) };
}

/** @throws BadRequest for a bot of another type, and for an address that may not be called */
function withService(services: Services, bot: BotSettings, input: Given): BotSettings {
  if (input.service_payload_url === undefined) return bot;
  if (!bot.service) throw new BadRequest('This bot is no outgoing webhook.');
  const { token } = bot.service;
  const service = { url: input.service_payload_url, interface: input.service_interface, token };
  return { ...bot, service: readService(services, service) };
}

/** The address of a bot is derived from its short name. */
async function loadAddressEdits(table: Table, bot: User, { short_name }: Given): Promise<UserEdit[]> {
  if (short_name === undefined) return [];
  const email = botEmail(short_name, mailDomainOf(await getOrganization(table)));
  if (email === bot.email) return [];
  const holder = await findAccount(table, email);
  if (holder && holder.userId !== bot.userId) throw new BadRequest('Username already in use');
  return [emailEdit(bot, email)];
}

/** The configuration of the bot's integration with the given values. @throws BadRequest */
async function readConfiguration(
  table: Table,
  { userId, bot }: User,
  { config_data: input }: Given,
): Promise<BotConfiguration | undefined> {
  if (input === undefined) return undefined;
  return mergeConfiguration(bot?.integration, await getBotConfiguration(table, userId), input);
}

async function loadOwnerEdits(
  { table, config }: Services,
  caller: User,
  bot: User,
  previous: User | undefined,
  input: Given,
): Promise<UserEdit[]> {
  if (input.bot_owner_id === undefined || input.bot_owner_id === bot.botOwnerId) return [];
  const named = await listUsersById(table, [input.bot_owner_id]);
  const [owner] = await listSeen(table, caller, named);
  const newOwner = checkNewOwner(owner);
  requireRoleOfOwner(newOwner, bot.role);
  if (bot.isActive) requireRoomForBot(await listBotsOf(table, newOwner), config.recordLimits.botsOfOwner);
  const edit = botOwnerEdit(bot, previous, newOwner);
  return [{ ...edit, checks: [...edit.checks, sameRoleCheck(newOwner)] }];
}
