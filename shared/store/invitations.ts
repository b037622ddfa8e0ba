import type { Earlier } from '#shared/domain/invitations/changes.ts';
import { type Invitation, isOpen } from '#shared/domain/invitations/invitation.ts';
import { signInKeys, signInPartitions } from '#shared/table/keys/sign-in.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

function toInvitation(item: Item): Invitation {
  const { pk: _pk, sk: _sk, due: _due, dueAtSeconds: _dueAtSeconds, expiresAtSeconds: _ttl, ...rest } = item;
  return recordOf<Invitation>(rest);
}

/** Includes expired and revoked invitations that still exist. */
export async function findInvitation(table: Table, invitationId: number): Promise<Invitation | undefined> {
  const item = await table.find(signInKeys.invitation(invitationId));
  return item && toInvitation(item);
}

/** The existing invitations among these, unordered. */
export async function listInvitationsById(table: Table, invitationIds: number[]): Promise<Invitation[]> {
  const items = await table.findMany(invitationIds.map(signInKeys.invitation));
  return items.map(toInvitation);
}

/** All open invitations, oldest first. */
export async function listOpenInvitations(table: Table, nowSeconds: number): Promise<Invitation[]> {
  const items = await table.list({ partition: signInPartitions.invitations(), consistent: true });
  return items.map(toInvitation).filter((invitation) => isOpen(invitation, nowSeconds));
}

/** All open invitations of one inviter. */
export async function listOpenInvitationsOf(
  table: Table,
  inviterId: number,
  nowSeconds: number,
): Promise<Invitation[]> {
  const open = await listOpenInvitations(table, nowSeconds);
  return open.filter((invitation) => invitation.inviterId === inviterId);
}

/** All invitations to an address, by any inviter. */
export async function listInvitationsTo(table: Table, email: string): Promise<Invitation[]> {
  const items = await table.list({ partition: signInPartitions.invited(email), consistent: true });
  return listInvitationsById(
    table,
    items.map(({ invitationId }) => Number(invitationId)),
  );
}

/** The inviter's earlier invitations to these addresses. */
export async function listEarlier(table: Table, inviterId: number, emails: string[]): Promise<Earlier> {
  const asked = emails.map(
    (email) => [signInKeys.invited(email, inviterId).pk, email.toLowerCase()] as const,
  );
  const byPartition = new Map(asked);
  const items = await table.findMany(emails.map((email) => signInKeys.invited(email, inviterId)));
  return new Map(items.map((item) => [byPartition.get(String(item.pk)) ?? '', Number(item.invitationId)]));
}

/** The ids of expired invitations, earliest first. */
export async function listEndedIds(table: Table, nowSeconds: number, limit: number): Promise<number[]> {
  const { items } = await table.page({
    index: 'byDueTime',
    partition: signInPartitions.endingInvitations(),
    to: nowSeconds,
    limit,
  });
  return items.map(({ invitationId }) => Number(invitationId));
}
