import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { accountNotice } from '#shared/domain/invitations/mail.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Tells a person who asked to join that they have an account. */
export async function mailAccountNotice(
  services: Services,
  { email }: { email: string },
): Promise<undefined> {
  await sendMail(services, { to: email, ...accountNotice(await getOrganization(services.table)) });
}
