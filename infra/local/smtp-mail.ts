import { createTransport } from 'nodemailer';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Mail } from '#shared/runtime/services.ts';

/** What became of a mail; a failure is tried again. */
export type MailResult = 'sent' | 'refused' | 'failed';

export interface SmtpMail extends Mail {
  close(): Promise<void>;
}

const TIMEOUT_MS = 20_000;
/** Replies of this class are final (RFC 5321, section 4.2.1). */
const FINAL_FROM = 500;
/** Commands by which a server judges the service and not the mail. */
const OF_SERVICE = ['CONN', 'EHLO', 'HELO', 'AUTH', 'STARTTLS'];

/**
 * Sends mails through an SMTP server. A mail that fails is left to its job, which lies in the table until the mail
 * is sent, refused permanently, or three days old.
 */
export function openSmtpMail(url: string, sender: string, note: (result: MailResult) => void): SmtpMail {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  return {
    async send(message) {
      try {
        await transport.sendMail({ from: sender, ...message });
        note('sent');
        return 'sent';
      } catch (failure) {
        if (isFinal(failure)) {
          note('refused');
          return { refusedBecause: (failure as Error).message };
        }
        note('failed');
        logLine('error', 'The mail server failed; the mail is tried again', describeFailure(failure));
        throw failure;
      }
    },
    close: async () => transport.close(),
  };
}

function isFinal(failure: unknown): boolean {
  const { responseCode = 0, command = 'CONN' } = failure as { responseCode?: number; command?: string };
  return responseCode >= FINAL_FROM && !OF_SERVICE.some((kind) => command.startsWith(kind));
}
