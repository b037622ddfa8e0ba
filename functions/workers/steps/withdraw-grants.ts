import { commitAllButLast } from '#shared/actions/messages/finish-step.ts';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { listRoleEffects } from '#shared/actions/users/list-role-effects.ts';
import type { Change } from '#shared/domain/change.ts';
import { isForOwners, newAddressesChange } from '#shared/domain/exports/changes.ts';
import { endChange, inBatches } from '#shared/domain/invitations/changes.ts';
import { inviterGroups, mayStillInvite } from '#shared/domain/invitations/permissions.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { editChange, roleEdit } from '#shared/domain/users/edit.ts';
import { grantSteps, listRaisedBots } from '#shared/domain/users/grants.ts';
import { asOf, isAdministrator, isOwner, type User } from '#shared/domain/users/user.ts';
import { loadAddresses } from '#shared/exports/addresses.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getExports } from '#shared/store/exports.ts';
import { listOpenInvitationsOf } from '#shared/store/invitations.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { listBotsOf } from '#shared/store/users/bots.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import { readVisibilityRevision } from '#shared/store/visibility/visibility-revision.ts';

/**
 * Withdraws the grants of a right that a person no longer has: revokes invitations, lowers the
 * roles of bots, and replaces the addresses of archives. Decides by their present rights.
 */
export async function withdrawGrants(
  services: Services,
  { userId }: JobPayloads['withdraw-grants'],
  step: number,
): Promise<Change | undefined> {
  const user = await getCurrentUser(services, userId);
  if (step === grantSteps.invitations) return revokeInvitations(services, user);
  if (step === grantSteps.bots) return lowerBots(services, user);
  return replaceAddresses(services, user);
}

async function revokeInvitations(services: Services, user: User): Promise<Change | undefined> {
  const { table, clock } = services;
  const { groups } = await getOrganization(table);
  await learnMemberships(table, user, inviterGroups(groups));
  const open = await listOpenInvitationsOf(table, user.userId, toSeconds(clock.nowMs()));
  const revoked = open.filter((invitation) => !mayStillInvite(user, invitation, groups));
  return commitAllButLast(services, inBatches(revoked).map(endChange));
}

async function lowerBots(services: Services, owner: User): Promise<undefined> {
  const { table, clock } = services;
  for (const bot of listRaisedBots(await listBotsOf(table, owner), owner)) {
    const visibilityRevision = await readVisibilityRevision(table);
    const present = asOf(bot, toSeconds(clock.nowMs()));
    const effects = await listRoleEffects(table, present, owner.role);
    const edit = roleEdit(bot, owner.role, undefined, { effects, visibilityRevision });
    const change = editChange(await accountOf(table, bot), [edit]);
    if (change) await commit(services, change);
  }
}

async function replaceAddresses(services: Services, user: User): Promise<Change | undefined> {
  if (user.isActive && isOwner(user)) return undefined;
  const ledger = await getExports(services.table);
  const mayHaveSeen = user.isActive && isAdministrator(user) ? isForOwners : () => true;
  const addressOf = await loadAddresses(services);
  return newAddressesChange(ledger, mayHaveSeen, () => services.ids.uuid(), addressOf);
}
