import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { t } from '#web/texts/texts.ts';
import { randomId } from '../random-id.ts';

export interface Invitation {
  id: number;
  invited_by_user_id: number;
  invited: number;
  /** Seconds since 1970; null for never. */
  expiry_date: number | null;
  invited_as: number;
  is_multiuse: boolean;
  email?: string;
  link_url?: string;
}

/** What every invitation says. */
export interface Terms {
  role: number;
  /** Minutes until it ends; null for never. */
  minutes: number | null;
  channelIds: number[];
}

const paramsOf = ({ role, minutes, channelIds }: Terms) => ({
  invite_as: role,
  invite_expires_in_minutes: minutes,
  stream_ids: channelIds,
  include_realm_default_subscriptions: true,
});

/** @throws ApiError in the words of the service */
export const inviteByMail = (emails: string, terms: Terms): Promise<unknown> =>
  call('POST', '/invites', { invitee_emails: emails, ...paramsOf(terms) }, { idempotencyKey: randomId() });

/** Makes a link by which anybody who has it may join. @throws ApiError in the words of the service */
export async function createLink(terms: Terms): Promise<string> {
  const options = { idempotencyKey: randomId() };
  return (await call<{ invite_link: string }>('POST', '/invites/multiuse', paramsOf(terms), options))
    .invite_link;
}

export const revoke = ({ id, is_multiuse: isLink }: Invitation): Promise<boolean> =>
  attempt(t('organization.notRevoked'), () =>
    call('DELETE', isLink ? `/invites/multiuse/${id}` : `/invites/${id}`),
  );

export const resend = ({ id }: Invitation): Promise<boolean> =>
  attempt(t('organization.notSentAgain'), () => call('POST', `/invites/${id}/resend`));
