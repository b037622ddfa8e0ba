import { deactivationMail } from '#shared/domain/invitations/mail.ts';
import { getCurrentUser } from '#shared/log/current-user.ts';
import { sendMail } from '#shared/log/send-mail.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization.ts';

/** Tells a person that their account was deactivated, unless they are back by now. */
export async function mailDeactivation(
  services: Services,
  { userId, email, comment }: { userId: number; email: string; comment: string },
): Promise<undefined> {
  if ((await getCurrentUser(services, userId)).isActive) return;
  const text = deactivationMail(await getOrganization(services.table), comment);
  await sendMail(services, { to: email, ...text });
}
