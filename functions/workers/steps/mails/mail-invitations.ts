import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { sayIn } from '#shared/actions/texts/say-in.ts';
import { deriveJoinKey } from '#shared/api/join-key.ts';
import { isOpen, joinUrl } from '#shared/domain/invitations/invitation.ts';
import { invitationMail } from '#shared/domain/invitations/mail.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findInvitation } from '#shared/store/invitations.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findUser } from '#shared/store/users/users.ts';

/** Mails an invitation, which is the step, unless it has ended. */
export async function mailInvitations(
  services: Services,
  _payload: JobPayloads['mail-invitations'],
  step: number,
): Promise<undefined> {
  const { table, clock } = services;
  const invitation = await findInvitation(table, step);
  if (invitation?.email === undefined || !isOpen(invitation, toSeconds(clock.nowMs()))) return;
  const organization = await getOrganization(table);
  const { inviterId } = invitation;
  const inviter = inviterId === null ? undefined : await findUser(table, inviterId);
  const link = joinUrl(organization.url, deriveJoinKey(await services.secret(), invitation));
  const say = await sayIn(organization.settings.default_language);
  const mail = invitationMail(invitation, { organization, inviter, link }, say);
  await sendMail(services, { to: invitation.email, ...mail });
}
