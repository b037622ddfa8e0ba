import type { Role } from '#shared/domain/users/user.ts';

/** The rights and memberships of a new account that accepts an invitation. */
export interface Admission {
  role: Role;
  channelIds: number[];
  /** Whether the new account is also subscribed to the default channels. */
  includesDefaults: boolean;
  groupIds: number[];
  /** Whether the inviter is notified. */
  notifiesInviter: boolean;
  /** Replaces the organization's welcome text; null keeps it. */
  welcomeText: string | null;
}

/**
 * A way to join. An `email` invitation is for one person; a `link` is for all who have it; a `confirmation`
 * proves that a person who asked to join owns the address.
 */
export interface Invitation extends Admission {
  invitationId: number;
  kind: 'email' | 'link' | 'confirmation';
  /** Null for people who joined without an invitation. */
  inviterId: number | null;
  /** Absent for links. */
  email?: string;
  /** The link that a confirmation belongs to; it must be open too. */
  linkId?: number;
  invitedAtSeconds: number;
  /** Null for invitations that do not expire. */
  endsAtSeconds: number | null;
  /** Its key is derived from this and the service's secret. */
  salt: string;
  /** A revoked link, which is remembered for a while. */
  isRevoked?: true;
}

/** Fields that all invitations of one request share. */
export type InvitationPlan = Omit<
  Invitation,
  'invitationId' | 'salt' | 'invitedAtSeconds' | 'kind' | 'email'
>;

/** Whether the invitation can still be used. */
export const isOpen = ({ endsAtSeconds, isRevoked }: Invitation, nowSeconds: number): boolean =>
  !isRevoked && (endsAtSeconds === null || nowSeconds < endsAtSeconds);

/** The address at which the key can be used. */
export const joinUrl = (organizationUrl: string, key: string): string => `${organizationUrl}/join/${key}/`;

/** The invitation record of the protocol; links include their address. */
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
