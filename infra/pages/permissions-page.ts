import { endpoints } from '#functions/routes.ts';
import { requireAllowed } from '#shared/api/auth/access.ts';
import type { Allowed, AnyEndpoint } from '#shared/api/endpoint.ts';
import { defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import { defaultOrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted, type Permission, type Right } from '#shared/domain/permissions/permission.ts';
import { type PermissionName, permissions } from '#shared/domain/permissions/permissions.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { createAccount } from '#shared/domain/users/create.ts';
import { type Account, isGuest, type Role, roles } from '#shared/domain/users/user.ts';
import { relationTexts, ruleTexts } from './permission-texts.ts';

/** The actors that try every operation; the last two have no valid account. */
export const actorNames = [
  'owner',
  'administrator',
  'moderator',
  'full member',
  'new member',
  'guest',
  'bot',
  'deactivated user',
  'nobody',
] as const;
export type ActorName = (typeof actorNames)[number];

const idOf = (actor: ActorName): number => actorNames.indexOf(actor);
const OWNER_ID = idOf('owner');
const roleOf: Partial<Record<ActorName, Role>> = {
  owner: roles.owner,
  administrator: roles.administrator,
  moderator: roles.moderator,
  'full member': roles.member,
  'new member': roles.member,
  guest: roles.guest,
  bot: roles.member,
};

function accountOf(actor: ActorName): Account | undefined {
  const role = roleOf[actor];
  if (role === undefined) return undefined;
  const isFull = actor !== 'new member' && actor !== 'bot';
  return {
    ...createAccount({
      userId: idOf(actor),
      email: 'a@b.c',
      fullName: 'A',
      nowSeconds: 0,
    }),
    role,
    isBot: actor === 'bot',
    memberships: new Map([[systemGroups.fullMembers, isFull]]),
  };
}

/** The owner's public channel and user group in an organization with default settings. */
function standingOf(account: Account) {
  const isOwn = account.userId === OWNER_ID;
  const creator = { direct_members: [OWNER_ID], direct_subgroups: [] };
  const isInside = !isGuest(account);
  return {
    organization: defaultOrganizationGroups,
    channel: defaultChannelGroups(OWNER_ID),
    group: {
      can_add_members_group: creator,
      can_join_group: systemGroups.nobody,
      can_leave_group: systemGroups.everyone,
      can_manage_group: creator,
      can_mention_group: systemGroups.everyone,
      can_remove_members_group: systemGroups.nobody,
    },
    relations: {
      administersAsMember: false,
      isOneself: isOwn,
      knowsChannel: isInside,
      ownsBot: isOwn,
      reachesContent: isInside,
      readsChannel: isInside,
      sentMessage: isOwn,
    },
  };
}

/** Whether an actor may perform an operation on things of the owner of a new organization. */
export function mayCall(endpoint: AnyEndpoint, actor: ActorName): boolean {
  if (endpoint.allow === 'anyone') return true;
  const account = accountOf(actor);
  if (!account) return false;
  try {
    requireAllowed(endpoint, account);
  } catch {
    return false;
  }
  const standing = standingOf(account);
  return (endpoint.needs ?? []).every((name: PermissionName) =>
    isPermitted(account, permissions[name], standing),
  );
}

const roleNames = new Map<Role, string>([
  [roles.owner, 'owners'],
  [roles.administrator, 'administrators'],
]);

function describeRight(right: Right): string {
  if ('role' in right) return roleNames.get(right.role) ?? String(right.role);
  if ('relation' in right) return relationTexts[right.relation];
  if ('organization' in right) return `\`organization.${right.organization}\``;
  return 'channel' in right ? `\`channel.${right.channel}\`` : `\`group.${right.group}\``;
}

function describeRule([name, permission]: [string, Permission]): string {
  const { anyOf, required = [], isForMembers } = permission;
  const beside = [
    ...required.map((relation) => relationTexts[relation]),
    ...(isForMembers ? ['no guest'] : []),
  ];
  return `| <a id="${name.toLowerCase()}"></a>${name} | ${ruleTexts[name as PermissionName]} | ${anyOf.map(describeRight).join('; ')} | ${beside.join('; ')} |`;
}

/** Descriptions of who may call. */
const whoMayCall: Record<Allowed, string> = {
  administrator: 'administrators',
  anyone: 'anyone, without an account',
  human: 'people',
  humanMember: 'people, no guests',
  member: 'no guests',
  owner: 'owners',
  user: 'every account',
  userOrAnonymous: 'every account; anyone if the organization is open to the public',
};

/** Who may call an operation at all, by which rules, and which actors then succeed. */
function describeAccess(endpoint: AnyEndpoint): string {
  const { allow, needs = [] } = endpoint;
  const links = needs.map(
    (permissionName: PermissionName) => `[${permissionName}](#${permissionName.toLowerCase()})`,
  );
  const succeeding = actorNames.filter((actor) => mayCall(endpoint, actor));
  const actors = succeeding.length === actorNames.length ? 'all' : succeeding.join(', ');
  return `${whoMayCall[allow as Allowed]} | ${links.join(', ')} | ${actors}`;
}

/** A row for all operations that the same callers may make. */
const describeOperations = (): string =>
  [...Map.groupBy(Object.entries(endpoints), ([, endpoint]) => describeAccess(endpoint))]
    .map(([access, operations]) => `| ${operations.map(([name]) => name).join(', ')} | ${access} |`)
    .join('\n');

/** The page about permissions, generated from the rules and the registry. */
export const describePermissions = (): string => `# Permissions

\`npm run docs\` writes this page from the rules in \`shared/domain/permissions/permissions.ts\` and the registry ([0009](decisions/0009-permissions.md)).

## Rules

A caller needs one of the rights and all requirements. \`organization.…\`, \`channel.…\` and \`group.…\` are settings that name a group.

| rule | allows to | one of these rights | requirements |
| --- | --- | --- | --- |
${Object.entries(permissions).map(describeRule).join('\n')}

## Operations

The last column lists the callers who succeed with objects of the owner (a public channel, a user group, a bot, a queue) in an
organization with default settings. A test calls every operation as each of them.

| operations | may call | rules | succeeds for |
| --- | --- | --- | --- |
${describeOperations()}
`;
