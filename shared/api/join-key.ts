import { deriveKey, isSameSecret } from '#shared/api/auth/api-key.ts';
import { InvalidInvitation } from '#shared/domain/errors.ts';
import { type Invitation, isOpen } from '#shared/domain/invitations/invitation.ts';
import { inviterGroups, mayStillInvite } from '#shared/domain/invitations/permissions.ts';
import { asOf, type User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findInvitation } from '#shared/store/invitations.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { findUser } from '#shared/store/users/users.ts';

const JOIN_KEY = /^[A-Za-z0-9]{32}(\d{1,10})$/;

/**
 * The secret part of an invitation link: letters and digits derived with the service's secret, then the
 * invitation's number. Like an API key it is not stored.
 */
export function deriveJoinKey(
  secret: string,
  { invitationId, salt }: Pick<Invitation, 'invitationId' | 'salt'>,
): string {
  return `${deriveKey(secret, `join-key:${invitationId}:${salt}`)}${invitationId}`;
}

/**
 * The invitation that a key belongs to, while it is open and its inviter is active.
 * @throws InvalidInvitation for all other keys, with the same text for every reason
 */
export async function getInvitationByKey(services: Services, key: string): Promise<Invitation> {
  const { table, clock } = services;
  const [, id] = JOIN_KEY.exec(key.trim()) ?? [];
  const invitation = id === undefined ? undefined : await findInvitation(table, Number(id));
  const expected = deriveJoinKey(await services.secret(), invitation ?? { invitationId: 0, salt: '' });
  const nowSeconds = toSeconds(clock.nowMs());
  if (!isSameSecret(key.trim(), expected) || !invitation || !isOpen(invitation, nowSeconds))
    throw new InvalidInvitation();
  const { linkId, inviterId } = invitation;
  const [link, inviter] = await Promise.all([
    linkId === undefined ? undefined : findInvitation(table, linkId),
    inviterId === null ? undefined : findUser(table, inviterId),
  ]);
  if (linkId !== undefined && !(link && isOpen(link, nowSeconds))) throw new InvalidInvitation();
  // A job revokes invitations that their inviter may no longer make, but may not have run yet.
  if (inviterId !== null && !(inviter && (await mayBeMadeBy(services, inviter, invitation))))
    throw new InvalidInvitation();
  return invitation;
}

async function mayBeMadeBy(
  { table, clock }: Services,
  inviter: User,
  invitation: Invitation,
): Promise<boolean> {
  const { groups } = await getOrganization(table);
  const present = asOf(inviter, toSeconds(clock.nowMs()));
  await learnMemberships(table, present, inviterGroups(groups));
  return mayStillInvite(present, invitation, groups);
}
