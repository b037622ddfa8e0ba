import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Mail } from './services.ts';

/** Sends mails with Amazon SES from one address, which must be verified there. */
export function createAwsMail(sender: string, endpoint?: string): Mail {
  const client = new SESv2Client(endpoint ? { endpoint } : {});
  const utf8 = (data: string) => ({ Data: data, Charset: 'UTF-8' });
  return {
    async send({ to, subject, text, html }) {
      const command = new SendEmailCommand({
        FromEmailAddress: sender,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } } },
      });
      try {
        await client.send(command);
        return 'sent';
      } catch (failure) {
        if (!isFinal(failure)) throw failure;
        return { refusedBecause: failure.message };
      }
    },
  };
}

/** SES rejected this mail. A paused account, an unverified domain or a rate limit are temporary. */
const isFinal = (failure: unknown): failure is Error =>
  failure instanceof MessageRejected || failure instanceof BadRequestException;
