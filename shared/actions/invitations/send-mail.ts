import { logLine } from '#shared/runtime/log.ts';
import type { MailMessage, Services } from '#shared/runtime/services.ts';

/**
 * Sends a mail. A permanently refused one is logged and dropped, so that it blocks nothing else; other
 * failures are thrown for the caller to retry.
 */
export async function sendMail({ mail }: Services, message: MailMessage): Promise<void> {
  const outcome = await mail.send(message);
  if (outcome !== 'sent') logLine('error', 'A mail was refused', { reason: outcome.refusedBecause });
}
