import { type Change, mergeChanges } from '#shared/domain/change.ts';
import { defaultsOf } from '#shared/domain/channels/defaults.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { requireInvitable } from '#shared/domain/invitations/addresses.ts';
import { endChange, linkIsOpen } from '#shared/domain/invitations/changes.ts';
import type { Admission, Invitation } from '#shared/domain/invitations/invitation.ts';
import type { Job } from '#shared/domain/jobs.ts';
import { mailDomainOf, type Organization } from '#shared/domain/organization/organization.ts';
import { beginningSettings } from '#shared/domain/organization/user-defaults.ts';
import { standInPicture } from '#shared/domain/pictures/generated.ts';
import { listJoinings, type Principal, subscribeChanges } from '#shared/domain/subscriptions/subscribe.ts';
import { accountChange, checkEmail, checkFullName, createAccount } from '#shared/domain/users/create.ts';
import { requireUniqueName } from '#shared/domain/users/unique-name.ts';
import { type Account, emailVisibilities, roles } from '#shared/domain/users/user.ts';
import { withEmailVisibility } from '#shared/domain/users/visibility.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { listInvitationsTo } from '#shared/store/invitations.ts';
import { findAccount, listUsers } from '#shared/store/users/users.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** A person who will get an account; name and address are not validated yet. */
export interface Newcomer {
  email: string;
  fullName: string;
  passwordHash: string;
}

/** How a person joins, and their inviter: null without one. */
export type Entrance = Admission & { inviterId: number | null };

/** A member with the default channels. */
export const ordinaryEntrance: Entrance = {
  role: roles.member,
  channelIds: [],
  includesDefaults: true,
  groupIds: [],
  notifiesInviter: false,
  welcomeText: null,
  inviterId: null,
};

/** This many channels fit into the account's transaction; the others are steps of a job. */
export const CHANNELS_PER_STEP = 20;
/**
 * Further invitations to the address that end with the account; the remaining ones cannot be used any longer.
 */
const MAX_ENDED = 8;

/** Validates and normalizes a new user's name and address. @throws BadRequest if the person cannot join */
export async function checkNewcomer<Given extends { email: string; fullName: string }>(
  table: Table,
  organization: Organization,
  input: Given,
): Promise<Given> {
  const email = checkEmail(input.email);
  const fullName = checkFullName(input.fullName);
  requireInvitable(email, organization);
  if (organization.settings.require_unique_names)
    requireUniqueName(fullName, await listUsers(table), undefined);
  if (await findAccount(table, email)) throw new BadRequest(`Email '${email}' already in use`);
  return { ...input, email, fullName };
}

/**
 * The change that creates an account, with its consequences and events. It ends the invitations to the
 * address. Fails when the address was taken in the meantime.
 */
export async function decidePerson(
  services: Services,
  organization: Organization,
  newcomer: Newcomer,
  entrance: Entrance = ordinaryEntrance,
  beside: Change = {},
): Promise<{ account: Account; change: Change }> {
  const { table, clock } = services;
  const settings = beginningSettings(organization);
  const userId = await table.increment(organizationKeys.counter('user'), 'id');
  const created = createAccount({
    ...newcomer,
    userId,
    avatarPicture: standInPicture(organization, userId),
    role: entrance.role,
    nowSeconds: toSeconds(clock.nowMs()),
  });
  const visibility = settings.email_address_visibility ?? emailVisibilities.everyone;
  const account = withEmailVisibility(created, visibility, mailDomainOf(organization));
  const { channelIds, job } = divideChannels(account, organization, entrance);
  const person = accountChange(account, {
    settings,
    passwordHash: newcomer.passwordHash,
    waitingPeriodDays: organization.settings.waiting_period_threshold,
    welcome: welcomeOf(entrance),
    isAnnounced: organization.settings.signup_announcements_stream_id !== -1,
  });
  const principal = { user: account, subscriptions: new Map() };
  const arrival = await arrivalChange(table, organization, principal, channelIds);
  return { account, change: mergeChanges(person, arrival, beside, { jobs: job }) };
}

/**
 * Ends the used invitation, and all other invitations to the address. The link that it came from, if any,
 * must still be open.
 */
export async function endOfInvitationsTo(
  table: Table,
  email: string,
  accepted?: Invitation,
): Promise<Change> {
  const others = (await listInvitationsTo(table, email)).filter(
    ({ invitationId }) => invitationId !== accepted?.invitationId,
  );
  const ended = endChange([...(accepted ? [accepted] : []), ...others.slice(0, MAX_ENDED)]);
  return accepted?.linkId === undefined
    ? ended
    : mergeChanges(ended, { writes: [linkIsOpen(accepted.linkId)] });
}

/** Subscribes a new user to channels, except archived ones. */
export async function arrivalChange(
  table: Table,
  organization: Organization,
  principal: Principal,
  channelIds: number[],
): Promise<Change> {
  const defaults = defaultsOf(organization);
  const channels = (await listChannelsById(table, channelIds)).filter(({ isArchived }) => !isArchived);
  const targets = channels.map((channel) => {
    const isDefault = defaults.channelIds.includes(channel.channelId);
    return { channel, isNew: false, isDefault, color: undefined };
  });
  const joinings = listJoinings(principal.user.userId, [principal], targets);
  return mergeChanges(...subscribeChanges(targets, joinings).map(({ change }) => change));
}

function divideChannels(
  { userId }: Account,
  organization: Organization,
  { channelIds, includesDefaults, groupIds }: Entrance,
): { channelIds: number[]; job: Job[] } {
  const defaults = includesDefaults ? defaultsOf(organization).channelIds : [];
  const all = [...new Set([...channelIds, ...defaults])];
  const later = all.slice(CHANNELS_PER_STEP);
  const stepCount = Math.ceil(later.length / CHANNELS_PER_STEP) + groupIds.length;
  const job: Job = {
    type: 'complete-joining',
    payload: { userId, channelIds: later, groupIds },
    steps: Array.from({ length: stepCount }, (_, n) => n),
  };
  return { channelIds: all.slice(0, CHANNELS_PER_STEP), job: stepCount === 0 ? [] : [job] };
}

const welcomeOf = ({ welcomeText, notifiesInviter, inviterId }: Entrance) => ({
  ...(welcomeText !== null && { text: welcomeText }),
  ...(notifiesInviter && inviterId !== null && { inviterId }),
});
