import * as z from 'zod/mini';
import { composeBotPost } from '#shared/actions/messages/bot-message.ts';
import { getReadableMessage } from '#shared/actions/messages/readable-message.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength, text, withDefault } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { ONE_STEP } from '#shared/domain/jobs.ts';
import { asShown } from '#shared/domain/messages/access.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import {
  describeReceipt,
  describeReport,
  MAX_DESCRIPTION_LENGTH,
  noModerationChannel,
  reportTopic,
  reportTypeKeys,
  requireExplained,
} from '#shared/domain/messages/report.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import { findModerationChannel } from '#shared/store/channels/moderation-channel.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { withCurrentIdentities } from '#shared/store/users/identities.ts';

/** Reports a message to the moderators in the moderation channel. */
export const reportMessage = endpoint({
  route: 'POST /messages/{message_id}/report',
  summary: 'Report a message',
  allow: 'user',
  creates: true,
  needs: ['readMessages'],
  params: {
    message_id: json(z.int(), 'The message'),
    report_type: text(z.enum(reportTypeKeys), 'A key of `server_report_message_types`'),
    description: withDefault(
      text(
        z.string().check(maxLength(MAX_DESCRIPTION_LENGTH)),
        'An explanation; required if the type is `other`',
      ),
      '',
    ),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['message', 'stream/update'],
  uses: { table: 'write', areas: ['messages', 'uploads'], bus: true },
  async handle({ message_id: messageId, report_type: type, description }, { services, caller, retry }) {
    const { table } = services;
    const readable = await getReadableMessage(services, caller, messageId);
    const organization = await getOrganization(table);
    const channel = await findModerationChannel(table, organization);
    if (!channel) throw noModerationChannel();
    const report = { type, description };
    requireExplained(report);
    const shown = asShown(readable.message, readable.view);
    const [message = shown] = await withCurrentIdentities(table, [shown]);
    const content = checkContent(describeReport(organization, caller, message, report));
    const place = { channelId: channel.channelId, topic: reportTopic(message) };
    const notice = await composeBotPost(services, organization.notificationBotId, place, content);
    if (!notice) throw noModerationChannel();
    // Built now: later the channel may have another name or be hidden from the reporter.
    const receipt = describeReceipt(organization, message, type, await textsFor(services, caller.userId));
    const payload = { reporterId: caller.userId, content: receipt };
    const change = { message: notice, jobs: [{ type: 'confirm-report' as const, payload, steps: ONE_STEP }] };
    await commitMessage(services, change, { retry, channel });
    return {};
  },
});

export const handler = lambda(reportMessage, awsServices);
