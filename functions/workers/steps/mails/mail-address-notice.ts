import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { sayIn } from '#shared/actions/texts/say-in.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { addressNoticeMail } from '#shared/domain/invitations/mail.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findAccount } from '#shared/store/users/users.ts';

/** Notifies a person at the earlier address that the account has another one. */
export async function mailAddressNotice(
  services: Services,
  { from, to }: JobPayloads['mail-address-notice'],
): Promise<undefined> {
  const { table } = services;
  const [{ name, settings }, account] = await Promise.all([getOrganization(table), findAccount(table, to)]);
  const say = account ? await textsFor(services, account.userId) : await sayIn(settings.default_language);
  await sendMail(services, { to: from, ...addressNoticeMail(name, to, say) });
}
