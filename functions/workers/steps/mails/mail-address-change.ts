import { randomBytes } from 'node:crypto';
import { sendMail } from '#shared/actions/invitations/send-mail.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import type { Change } from '#shared/domain/change.ts';
import { addressChangeMail, addressTakenMail } from '#shared/domain/invitations/mail.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { digestOfToken } from '#shared/domain/users/sessions/session.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { addressChangeWrite } from '#shared/store/users/address-changes.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import { findAccount } from '#shared/store/users/users.ts';

const VALID_SECONDS = 24 * 3600;
const TOKEN_BYTES = 32;

/**
 * Mails the link by which a person confirms a new address. Mails of earlier requests do nothing any more. An address that has
 * another account gets no link.
 */
export async function mailAddressChange(
  services: Services,
  { userId, email }: JobPayloads['mail-address-change'],
): Promise<Change | undefined> {
  const { table, clock } = services;
  const user = await getCurrentUser(services, userId);
  if (!user.isActive) return undefined;
  const { name, url } = await getOrganization(table);
  const holder = await findAccount(table, email);
  if (holder && holder.userId !== userId) {
    await sendMail(services, {
      to: email,
      ...addressTakenMail(name, await textsFor(services, holder.userId)),
    });
    return undefined;
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const link = `${url}/accounts/confirm_new_email/${token}/`;
  await sendMail(services, { to: email, ...addressChangeMail(name, link, await textsFor(services, userId)) });
  const expiresAtSeconds = toSeconds(clock.nowMs()) + VALID_SECONDS;
  const change = { userId, from: user.email, to: email, tokenDigest: digestOfToken(token), expiresAtSeconds };
  return { writes: [addressChangeWrite(change)] };
}
