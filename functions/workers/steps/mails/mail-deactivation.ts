import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { deactivationMail } from '#shared/domain/invitations/mail.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';

/** Notifies a person that their account was deactivated, unless it has been reactivated. */
export async function mailDeactivation(
  services: Services,
  { userId, email, comment }: JobPayloads['mail-deactivation'],
): Promise<undefined> {
  if ((await getCurrentUser(services, userId)).isActive) return;
  const organization = await getOrganization(services.table);
  const text = deactivationMail(organization, comment, await textsFor(services, userId));
  await sendMail(services, { to: email, ...text });
}
