import type { Role } from '#shared/domain/users/user.ts';

/** What whoever accepts an invitation gets. */
export interface Admission {
  role: Role;
  channelIds: number[];
  /** Whether they also come into the default channels. */
  includesDefaults: boolean;
  groupIds: number[];
  /** Whether the inviter is told. */
  notifiesInviter: boolean;
  /** What the welcome bot says instead of the organization's own text; null for that one. */
  welcomeText: string | null;
}

/**
 * Something by which people join. An `email` invitation is for one person; a `link` is for whoever holds it; by a
 * `confirmation` somebody who asked to join proves that an address is theirs.
 */
export interface Invitation extends Admission {
  invitationId: number;
  kind: 'email' | 'link' | 'confirmation';
  /** Null for those who joined without having been invited. */
  inviterId: number | null;
  /** Absent for links. */
  email?: string;
  /** The link that a confirmation comes from; it has to be open too. */
  linkId?: number;
  invitedAtSeconds: number;
  /** Null for those that stay open. */
  endsAtSeconds: number | null;
  /** What its key is derived from, beside the secret of the service. */
  salt: string;
  /** A link that was taken back; it is known for a while. */
  isRevoked?: true;
}

/** Whether somebody can still join by it. */
export const isOpen = ({ endsAtSeconds, isRevoked }: Invitation, nowSeconds: number): boolean =>
  !isRevoked && (endsAtSeconds === null || nowSeconds < endsAtSeconds);

/** The address under which the holder of a key joins. */
export const joinUrl = (organizationUrl: string, key: string): string => `${organizationUrl}/join/${key}/`;

/** The invitation record of the protocol; links show where they lead. */
export function toInvitationRecord(invitation: Invitation, linkUrl: string | undefined) {
  const { invitationId, inviterId, email, invitedAtSeconds, endsAtSeconds, role, notifiesInviter } =
    invitation;
  return {
    id: invitationId,
    invited_by_user_id: inviterId ?? 0,
    invited: invitedAtSeconds,
    expiry_date: endsAtSeconds,
    invited_as: role,
    notify_referrer_on_join: notifiesInviter,
    ...(linkUrl === undefined
      ? { email: email ?? '', is_multiuse: false as const }
      : { link_url: linkUrl, is_multiuse: true as const }),
  };
}
