import { logLine } from '#shared/runtime/log.ts';
import type { MailMessage, Services } from '#shared/runtime/services.ts';

/**
 * Hands a mail over. One that will never be accepted is logged and given up, so that it holds up nothing else; any other
 * failure is thrown, and whoever called tries again.
 */
export async function sendMail({ mail }: Services, message: MailMessage): Promise<void> {
  const outcome = await mail.send(message);
  if (outcome !== 'sent') logLine('error', 'A mail was refused', { reason: outcome.refusedBecause });
}
