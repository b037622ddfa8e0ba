import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Mail } from '#shared/runtime/services.ts';

export interface AwsMailOptions {
  /** One address, which must be verified at SES. */
  sender: string;
  /** Names the configuration set by which SES sends nothing to addresses that complained or do not exist. */
  configurationSet?: string | undefined;
  /** An address other than the region's own. */
  endpoint?: string;
}

/** Sends mails with Amazon SES. */
export function createAwsMail({ sender, configurationSet, endpoint }: AwsMailOptions): Mail {
  const client = new SESv2Client(endpoint ? { endpoint } : {});
  const utf8 = (data: string) => ({ Data: data, Charset: 'UTF-8' });
  return {
    async send({ to, subject, text, html }) {
      const command = new SendEmailCommand({
        FromEmailAddress: sender,
        ConfigurationSetName: configurationSet,
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
