import type { Earlier } from '#shared/domain/invitations/changes.ts';
import { type Invitation, isOpen } from '#shared/domain/invitations/invitation.ts';
import { keys, partitions } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

function toInvitation(item: Item): Invitation {
  const { pk: _pk, sk: _sk, due: _due, dueAtSeconds: _dueAtSeconds, expiresAtSeconds: _ttl, ...rest } = item;
  return rest as unknown as Invitation;
}

/** Also one that has ended or was taken back, while it is there. */
export async function findInvitation(table: Table, invitationId: number): Promise<Invitation | undefined> {
  const item = await table.find(keys.invitation(invitationId));
  return item && toInvitation(item);
}

/** Those of the invitations that are there, in no particular order. */
export async function listInvitationsById(table: Table, invitationIds: number[]): Promise<Invitation[]> {
  const items = await table.findMany(invitationIds.map(keys.invitation));
  return items.map(toInvitation);
}

/** Every invitation by which somebody can still join, the oldest first. */
export async function listOpenInvitations(table: Table, nowSeconds: number): Promise<Invitation[]> {
  const items = await table.list({ partition: partitions.invitations(), consistent: true });
  return items.map(toInvitation).filter((one) => isOpen(one, nowSeconds));
}

/** Every invitation of one inviter by which people can still join. */
export async function listOpenInvitationsOf(
  table: Table,
  inviterId: number,
  nowSeconds: number,
): Promise<Invitation[]> {
  const open = await listOpenInvitations(table, nowSeconds);
  return open.filter((one) => one.inviterId === inviterId);
}

/** The invitations to an address, of whoever made them. */
export async function listInvitationsTo(table: Table, email: string): Promise<Invitation[]> {
  const items = await table.list({ partition: partitions.invited(email), consistent: true });
  return listInvitationsById(
    table,
    items.map(({ invitationId }) => Number(invitationId)),
  );
}

/** The invitations that somebody made to these addresses before. */
export async function listEarlier(table: Table, inviterId: number, emails: string[]): Promise<Earlier> {
  const asked = emails.map((email) => [keys.invited(email, inviterId).pk, email.toLowerCase()] as const);
  const byPartition = new Map(asked);
  const items = await table.findMany(emails.map((email) => keys.invited(email, inviterId)));
  return new Map(items.map((item) => [byPartition.get(String(item.pk)) ?? '', Number(item.invitationId)]));
}

/** The ids of invitations whose time is over, those first that ended first. */
export async function listEndedIds(table: Table, nowSeconds: number, limit: number): Promise<number[]> {
  const { items } = await table.page({
    index: 'byDueTime',
    partition: partitions.endingInvitations(),
    to: nowSeconds,
    limit,
  });
  return items.map(({ invitationId }) => Number(invitationId));
}
