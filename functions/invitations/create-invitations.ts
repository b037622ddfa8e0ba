import * as z from 'zod/mini';
import {
  commitInvitations,
  countInvitations,
  draftInvitations,
  requireMail,
} from '#shared/actions/invitations/inviting.ts';
import { requireMayBring } from '#shared/actions/users/admission.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import {
  channelIds,
  invitationParameters,
  readAdmission,
  readEnd,
} from '#shared/api/contracts/invitations.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, InvitationFailed, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import {
  listAddresses,
  listImpossible,
  listTaken,
  requireSomebody,
  someAreMembers,
} from '#shared/domain/invitations/addresses.ts';
import {
  requireMayAdmit,
  requireMayInvite,
  requireOldEnough,
} from '#shared/domain/invitations/permissions.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import type { Outcome } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { listAccounts } from '#shared/store/users/users.ts';

/**
 * Invites people by e-mail, each with a link of their own. All addresses are validated first; those with
 * accounts are left out and reported. Inviting an address again revokes the caller's earlier invitation.
 */
export const createInvitations = endpoint({
  route: 'POST /invites',
  summary: 'Invite people by e-mail',
  allow: 'humanMember',
  creates: true,
  needs: ['inviteUsers'],
  params: {
    invitee_emails: text(z.string(), 'Their addresses, separated by commas or new lines; at most 100'),
    stream_ids: channelIds,
    ...invitationParameters,
  },
  result: nothing,
  errors: [BadRequest, InvitationFailed, UnauthorizedPrincipal],
  emits: ['invites_changed'],
  uses: { table: 'write', areas: ['invitations'], bus: true },
  timeoutSeconds: 29,
  async handle(params, { services, caller, retry }) {
    const { table, clock, config } = services;
    const organization = await getOrganization(table);
    await learnMemberships(table, caller, [organization.groups.can_invite_users_group]);
    requireMayInvite(caller, permissions.inviteUsers, organization.groups);
    requireOldEnough(caller, config.inviterMinAgeSeconds);
    const admission = readAdmission(params);
    requireMayAdmit(caller, admission);
    requireMail(config);
    const addresses = listAddresses(params.invitee_emails);
    await requireMayBring(table, caller, admission, organization);

    const impossible = listImpossible(addresses, organization);
    const possible = addresses.filter((email) => !impossible.some(([other]) => other === email));
    const taken = listTaken(possible, await listAccounts(table, possible));
    requireSomebody(addresses, impossible, taken);
    // A retry skips the addresses that an earlier attempt has invited.
    const begun = addresses.slice(Number(retry?.progress?.addresses ?? 0));
    const free = begun.filter((email) => !taken.some(([address]) => address === email));

    const nowSeconds = toSeconds(clock.nowMs());
    await countInvitations(services, free.length);
    const plan = { ...admission, inviterId: caller.userId, endsAtSeconds: readEnd(params, nowSeconds) };
    const addressees = free.map((email) => ({ kind: 'email' as const, email }));
    const refusal = taken.length > 0 ? someAreMembers(taken) : undefined;
    const end: Outcome = refusal ? { refusal } : { fields: {} };
    const outcomeAfter = (index: number): Outcome =>
      index === free.length - 1 ? end : { progress: { addresses: addresses.indexOf(free[index] ?? '') + 1 } };
    const drafts = await draftInvitations(services, plan, addressees, nowSeconds);
    await commitInvitations(services, drafts, { retry, outcomeAfter });
    if (refusal) throw refusal;
    return {};
  },
});

export const handler = lambda(createInvitations, awsServices);
