import type { Change } from '#shared/domain/change.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import type { Job } from '#shared/domain/jobs.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { signInKeys, signInPartitions } from '#shared/table/keys/sign-in.ts';
import type { Write } from '#shared/table/table.ts';
import type { Invitation } from './invitation.ts';

/** How long a revoked link is remembered. */
const REVOKED_SECONDS = 30 * 24 * 3600;
/** How many invitations one change creates or ends. Each takes three writes; the entry and jobs need room too. */
const INVITATIONS_PER_CHANGE = 30;

/** Splits invitations into batches that fit into one change each. */
export const inBatches = <One>(all: One[]): One[][] => chunksOf(all, INVITATIONS_PER_CHANGE);

/** Notifies administrators and the inviters that their invitations have changed. */
export function invitationsChanged(invitations: Invitation[]): LogEvent[] {
  const listed = invitations.filter(({ kind }) => kind !== 'confirmation');
  if (listed.length === 0) return [];
  const inviters = listed.flatMap(({ inviterId }) => inviterId ?? []);
  const orUserIds = [...new Set(inviters)].sort((a, b) => a - b);
  return [{ audience: { kind: 'administrators', orUserIds }, payload: { type: 'invites_changed' } }];
}

/** The position of an expiring invitation in the index that the sweep reads. */
const dueOf = ({ endsAtSeconds }: Invitation) =>
  endsAtSeconds === null ? {} : { due: signInPartitions.endingInvitations(), dueAtSeconds: endsAtSeconds };

/** The inviter's earlier invitation to an address, by lower-case address. */
export type Earlier = ReadonlyMap<string, number>;

/**
 * Creates invitations; inviting an address again revokes the inviter's earlier invitation. Fails when that
 * has changed.
 */
export function creationChange(invitations: Invitation[], earlier: Earlier = new Map()): Change {
  const mailed = invitations.filter(({ kind }) => kind !== 'link').map(({ invitationId }) => invitationId);
  return {
    writes: invitations.flatMap((invitation) => creationWrites(invitation, earlier)),
    events: invitationsChanged(invitations),
    jobs: mailJobs(mailed),
  };
}

function creationWrites(invitation: Invitation, earlier: Earlier): Write[] {
  const { invitationId, kind, email = '', inviterId } = invitation;
  const item = { ...signInKeys.invitation(invitationId), ...invitation, ...dueOf(invitation) };
  const put: Write = { kind: 'put', item, condition: { exists: false } };
  if (kind !== 'email' || inviterId === null) return [put];
  const previous = earlier.get(email.toLowerCase());
  const unchanged = previous === undefined ? { exists: false } : { equals: { invitationId: previous } };
  return [
    put,
    { kind: 'put', item: { ...signInKeys.invited(email, inviterId), invitationId }, condition: unchanged },
    ...(previous === undefined ? [] : [{ kind: 'delete' as const, key: signInKeys.invitation(previous) }]),
  ];
}

/** The mails of invitations, one step each. */
export const mailJobs = (invitationIds: number[]): Job[] =>
  invitationIds.length === 0 ? [] : [{ type: 'mail-invitations', payload: {}, steps: invitationIds }];

/** Accepting, revoking and expiring an invitation exclude each other: of two at the same time one fails. */
export function endWrites(invitations: Invitation[]): Write[] {
  return invitations.flatMap(({ invitationId, kind, email = '', inviterId }): Write[] => [
    { kind: 'delete', key: signInKeys.invitation(invitationId), condition: { exists: true } },
    ...(kind === 'email' && inviterId !== null
      ? [
          {
            kind: 'delete' as const,
            key: signInKeys.invited(email, inviterId),
            condition: { equals: { invitationId } },
          },
        ]
      : []),
  ]);
}

/** Joining by a confirmation must not overtake the revocation of its link. */
export const linkIsOpen = (linkId: number): Write => ({
  kind: 'check',
  key: signInKeys.invitation(linkId),
  condition: { exists: true, differs: { isRevoked: true } },
});

export const endChange = (invitations: Invitation[]): Change => ({
  writes: endWrites(invitations),
  events: invitationsChanged(invitations),
});

/** Revokes a link; the fact is remembered for a while. */
export const revocationChange = (link: Invitation, nowSeconds: number): Change => ({
  writes: [
    {
      kind: 'update',
      key: signInKeys.invitation(link.invitationId),
      set: { isRevoked: true, expiresAtSeconds: nowSeconds + REVOKED_SECONDS },
      remove: ['due', 'dueAtSeconds'],
      condition: { exists: true, differs: { isRevoked: true } },
    },
  ],
  events: invitationsChanged([link]),
});
