import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { derivePasswordResetKey } from '#shared/api/auth/password-reset-key.ts';
import type { Change } from '#shared/domain/change.ts';
import { passwordResetMail } from '#shared/domain/invitations/mail.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { passwordResetWrite } from '#shared/store/users/password-resets.ts';
import { findAccount } from '#shared/store/users/users.ts';

const VALID_SECONDS = 3600;

/**
 * Mails the link with which a person chooses a new password, if the address has an account that signs in. Earlier
 * links are invalid.
 */
export async function mailPasswordReset(
  services: Services,
  { email }: JobPayloads['mail-password-reset'],
): Promise<Change | undefined> {
  const { table, clock, ids } = services;
  const account = await findAccount(table, email);
  if (!account?.isActive || account.isBot) return undefined;
  const expiresAtSeconds = toSeconds(clock.nowMs()) + VALID_SECONDS;
  const reset = { userId: account.userId, salt: ids.uuid(), expiresAtSeconds };
  const organization = await getOrganization(table);
  const key = derivePasswordResetKey(await services.secret(), reset);
  const link = `${organization.url}/accounts/password/reset/${key}/`;
  const say = await textsFor(services, account.userId);
  await sendMail(services, { to: account.email, ...passwordResetMail(organization.name, link, say) });
  return { writes: [passwordResetWrite(reset)] };
}
