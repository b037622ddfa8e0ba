import type { Change } from '#shared/domain/change.ts';
import { endChange } from '#shared/domain/invitations/changes.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listInvitationsById } from '#shared/store/invitations.ts';

/** Takes back some of the invitations of people who are deactivated, as far as nobody used them. */
export async function revokeInvitations(
  { table }: Services,
  { rows }: { rows: number[][] },
  step: number,
): Promise<Change | undefined> {
  const invitations = await listInvitationsById(table, rows[step] ?? []);
  return invitations.length === 0 ? undefined : endChange(invitations);
}
