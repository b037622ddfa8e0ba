import { logLine } from '#shared/runtime/log.ts';
import { type MailMessage, MailRefused, type Services } from '#shared/runtime/services.ts';

/**
 * Hands a mail over. One that will never be accepted is logged and given up, so that it holds up nothing else; any other
 * failure is thrown, and whoever called tries again.
 */
export async function sendMail({ mail }: Services, message: MailMessage): Promise<void> {
  try {
    await mail.send(message);
  } catch (failure) {
    if (!(failure instanceof MailRefused)) throw failure;
    logLine('error', 'A mail was refused', { reason: failure.message });
  }
}
