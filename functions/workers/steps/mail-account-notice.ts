import { accountNotice } from '#shared/domain/invitations/mail.ts';
import { sendMail } from '#shared/log/send-mail.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization.ts';

/** Tells somebody who asked to join that they have an account. */
export async function mailAccountNotice(
  services: Services,
  { email }: { email: string },
): Promise<undefined> {
  await sendMail(services, { to: email, ...accountNotice(await getOrganization(services.table)) });
}
