import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { sayIn } from '#shared/actions/texts/say-in.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { accountNotice } from '#shared/domain/invitations/mail.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findAccount } from '#shared/store/users/users.ts';

/** Notifies a person who requested to join that they have an account. */
export async function mailAccountNotice(
  services: Services,
  { email }: JobPayloads['mail-account-notice'],
): Promise<undefined> {
  const { table } = services;
  const [organization, account] = await Promise.all([getOrganization(table), findAccount(table, email)]);
  const say = account
    ? await textsFor(services, account.userId)
    : await sayIn(organization.settings.default_language);
  await sendMail(services, { to: email, ...accountNotice(organization, say) });
}
