import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { addressNoticeMail } from '#shared/domain/invitations/mail.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Tells a person at the earlier address that the account has another one. */
export async function mailAddressNotice(
  services: Services,
  { from, to }: { from: string; to: string },
): Promise<undefined> {
  const { name } = await getOrganization(services.table);
  await sendMail(services, { to: from, ...addressNoticeMail(name, to) });
}
