import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { unlessRefused } from '#shared/domain/unless-refused.ts';
import { toServiceRecords } from '#shared/domain/webhooks/service.ts';
import type { Audience, EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import { describeDefaults, toBotRecord } from './bot-record.ts';
import { accountChange, checkEmail, createAccount, type NewAccount } from './create.ts';
import type { UserEdit } from './edit.ts';
import { ownerUpdateEvent } from './events.ts';
import { type Account, type BotSettings, type BotType, botTypes, type User } from './user.ts';

/** The groups that may create bots; for incoming webhooks, membership in either is enough. */
export const botCreators = (type: BotType, organization: OrganizationGroups) =>
  type === botTypes.incomingWebhook
    ? [organization.can_create_bots_group, organization.can_create_write_only_bots_group]
    : [organization.can_create_bots_group];

/** @throws BadRequest for callers who may not create bots of the type */
export function requireMayCreateBots(caller: User, type: BotType, organization: OrganizationGroups): void {
  const permission = type === botTypes.incomingWebhook ? permissions.createWebhookBot : permissions.createBot;
  if (!isPermitted(caller, permission, { organization })) throw new BadRequest('Insufficient permission');
}

/** The protocol's number of bots that run within the service. */
const EMBEDDED = 4;

/** @throws BadRequest for an unknown type of bot, or one that this service does not run */
export function checkBotType(input: number): BotType {
  if (input === EMBEDDED) throw new BadRequest('Embedded bots are not enabled.');
  const type = Object.values(botTypes).find((botType) => botType === input);
  if (type === undefined) throw new BadRequest('Invalid bot type');
  return type;
}

/** @throws BadRequest for an owner with the maximum number of active bots */
export function requireRoomForBot(bots: User[], limit: number): void {
  if (bots.length >= limit) throw new BadRequest(`Too many bots: an owner may have ${limit} active ones.`);
}

/** The address of a bot, derived from its short name. @throws BadRequest */
export function botEmail(shortName: string, domain: string): string {
  const name = shortName.trim();
  const email = unlessRefused(() => checkEmail(`${name}-bot@${domain}`));
  if (name === '' || email instanceof BadRequest) throw new BadRequest('Bad name or username');
  return email;
}

/** Creates a bot account for an owner. */
export const createBot = (account: NewAccount, owner: User, bot: BotSettings): Account => ({
  ...createAccount(account),
  isBot: true,
  botOwnerId: owner.userId,
  bot,
});

/** The change for a new bot: all users are notified of the user, its owner and administrators of the bot. */
export function botCreationChange(account: Account, owner: User, waitingPeriodDays: number): Change {
  const change = accountChange(account, { waitingPeriodDays });
  const added: LogEvent = {
    audience: administratorsOf(owner),
    payload: { type: 'realm_bot', op: 'add', bot: toBotRecord(account) },
  };
  return { ...change, events: [...(change.events ?? []), added] };
}

/** The administrators of a bot: organization administrators and its owner. */
const administratorsOf = (owner: User | undefined): Audience => ({
  kind: 'administrators',
  ...(owner && { orUserIds: [owner.userId] }),
});

/** A user unless they are an administrator when the event happens: administrators have all bots. */
const onlyAsOwner = ({ userId }: User): Audience => ({
  kind: 'users',
  userIds: [userId],
  unless: { isPublic: false, isWebPublic: false },
});

/** Whether the caller may change a bot and act as its owner. */
export const mayAdministerBot = (caller: User, { botOwnerId }: User): boolean =>
  isPermitted(caller, permissions.administerBot, { relations: { ownsBot: botOwnerId === caller.userId } });

/** The settings of a new bot. */
export const noDefaults = (type: BotType): BotSettings => ({
  type,
  usesAllPublicChannels: false,
  eventsChannel: null,
  sendingChannel: null,
});

/**
 * Changes the defaults of a bot and notifies its administrators, as far as they see the channels; empty when
 * nothing changes.
 */
export function botDefaultEdits(bot: User, next: BotSettings, owner: User | undefined): UserEdit[] {
  const ids = ({ usesAllPublicChannels, eventsChannel, sendingChannel }: BotSettings): string =>
    JSON.stringify([usesAllPublicChannels, eventsChannel?.channelId, sendingChannel?.channelId]);
  const after = describeDefaults({ ...bot, bot: next });
  const before = new Map<string, unknown>(Object.entries(describeDefaults(bot)));
  const changed = Object.entries(after).filter(([name, value]) => before.get(name) !== value);
  const current = bot.bot ?? noDefaults(next.type);
  if (changed.length === 0 && ids(next) === ids(current)) return [];
  const payload: EventPayload = {
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: bot.userId, ...Object.fromEntries(changed) },
  };
  const events = changed.length > 0 ? [{ audience: administratorsOf(owner), payload }] : [];
  return [{ set: { bot: next }, checks: [], events }];
}

/** Changes the server of an outgoing webhook, and notifies the bot's administrators; empty when nothing changes. */
export function serviceEdits(bot: User, next: BotSettings, owner: User | undefined): UserEdit[] {
  const [before, after] = [bot.bot?.service, next.service];
  if (!after || (before?.baseUrl === after.baseUrl && before.interface === after.interface)) return [];
  const payload: EventPayload = {
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: bot.userId, services: toServiceRecords(after) },
  };
  return [{ set: { bot: next }, checks: [], events: [{ audience: administratorsOf(owner), payload }] }];
}

/** @throws BadRequest for an unknown or deactivated user, and for a bot */
export function checkNewOwner(owner: User | undefined): User {
  if (!owner || owner.isSystemBot) throw new BadRequest('Failed to change owner, no such user');
  if (!owner.isActive) throw new BadRequest('Failed to change owner, user is deactivated');
  if (owner.isBot) throw new BadRequest("Failed to change owner, bots can't own other bots");
  return owner;
}

/** Changes the owner, who gets the bot's record; the previous owner loses it. */
export function botOwnerEdit(bot: User, previous: User | undefined, owner: User): UserEdit {
  const lost: EventPayload = { type: 'realm_bot', op: 'delete', bot: { user_id: bot.userId } };
  const gained: EventPayload = { type: 'realm_bot', op: 'add', bot: toBotRecord(bot) };
  return {
    set: { botOwnerId: owner.userId },
    checks: [],
    events: [
      ownerUpdateEvent(bot, owner.userId),
      ...(previous ? [{ audience: onlyAsOwner(previous), payload: lost }] : []),
      { audience: onlyAsOwner(owner), payload: gained },
    ],
  };
}

/** The active bots of a user, which are deactivated with their owner. */
export const listActiveBots = (users: User[], owner: User): User[] =>
  listBots(users, owner).filter(({ isActive }) => isActive);

/** A user's bots, deactivated ones included. */
export const listBots = (users: User[], { userId }: User): User[] =>
  users.filter(({ botOwnerId }) => botOwnerId === userId);
