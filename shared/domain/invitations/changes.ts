import type { Change, Job } from '#shared/domain/change.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { keys, partitions } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Invitation } from './invitation.ts';

/** A revoked link is known as such for so long. */
const REVOKED_SECONDS = 30 * 24 * 3600;
const WRITES_PER_INVITATION = 3;

/** So many invitations are made or ended by one change. */
const INVITATIONS_PER_CHANGE = Math.floor(90 / WRITES_PER_INVITATION);

/** Parts of a list of invitations that are each small enough for one change. */
export function inBatches<One>(all: One[]): One[][] {
  const count = Math.ceil(all.length / INVITATIONS_PER_CHANGE);
  return Array.from({ length: count }, (_, n) =>
    all.slice(n * INVITATIONS_PER_CHANGE, (n + 1) * INVITATIONS_PER_CHANGE),
  );
}

/** Administrators and those who invited hear that their invitations are not what they were. */
export function invitationsChanged(invitations: Invitation[]): LogEvent[] {
  const listed = invitations.filter(({ kind }) => kind !== 'confirmation');
  if (listed.length === 0) return [];
  const inviters = listed.flatMap(({ inviterId }) => inviterId ?? []);
  const orUserIds = [...new Set(inviters)].sort((a, b) => a - b);
  return [{ audience: { kind: 'administrators', orUserIds }, payload: { type: 'invites_changed' } }];
}

/** Where an invitation that ends stands in the index by which the sweep finds it. */
const dueOf = ({ endsAtSeconds }: Invitation) =>
  endsAtSeconds === null ? {} : { due: partitions.endingInvitations(), dueAtSeconds: endsAtSeconds };

/** The invitation to an address that its inviter made before, by the address in small letters. */
export type Earlier = ReadonlyMap<string, number>;

/** New invitations; who invites an address again takes back the invitation of before. It fails when that is another. */
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
  const item = { ...keys.invitation(invitationId), ...invitation, ...dueOf(invitation) };
  const put: Write = { kind: 'put', item, condition: { exists: false } };
  if (kind !== 'email' || inviterId === null) return [put];
  const previous = earlier.get(email.toLowerCase());
  const unchanged = previous === undefined ? { exists: false } : { equals: { invitationId: previous } };
  return [
    put,
    { kind: 'put', item: { ...keys.invited(email, inviterId), invitationId }, condition: unchanged },
    ...(previous === undefined ? [] : [{ kind: 'delete' as const, key: keys.invitation(previous) }]),
  ];
}

/** The mails of invitations, each a step of its own. */
export const mailJobs = (invitationIds: number[]): Job[] =>
  invitationIds.length === 0 ? [] : [{ type: 'mail-invitations', payload: {}, steps: invitationIds }];

/** Whoever accepts, takes back or lets end an invitation does it once: of two at the same time one fails. */
export function endWrites(invitations: Invitation[]): Write[] {
  return invitations.flatMap(({ invitationId, kind, email = '', inviterId }): Write[] => [
    { kind: 'delete', key: keys.invitation(invitationId), condition: { exists: true } },
    ...(kind === 'email' && inviterId !== null
      ? [
          {
            kind: 'delete' as const,
            key: keys.invited(email, inviterId),
            condition: { equals: { invitationId } },
          },
        ]
      : []),
  ]);
}

/** Whoever joins by a confirmation does not overtake the one who takes back the link that it came from. */
export const linkIsOpen = (linkId: number): Write => ({
  kind: 'check',
  key: keys.invitation(linkId),
  condition: { exists: true, differs: { isRevoked: true } },
});

export const endChange = (invitations: Invitation[]): Change => ({
  writes: endWrites(invitations),
  events: invitationsChanged(invitations),
});

/** A link opens no more; it is known for a while that it was one. */
export const revocationChange = (link: Invitation, nowSeconds: number): Change => ({
  writes: [
    {
      kind: 'update',
      key: keys.invitation(link.invitationId),
      set: { isRevoked: true, expiresAtSeconds: nowSeconds + REVOKED_SECONDS },
      remove: ['due', 'dueAtSeconds'],
      condition: { exists: true, differs: { isRevoked: true } },
    },
  ],
  events: invitationsChanged([link]),
});
