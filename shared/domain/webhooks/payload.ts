import type { Message } from '#shared/domain/messages/message.ts';
import { toMessageRecord } from '#shared/domain/messages/record.ts';
import { serviceVersion } from '#shared/domain/organization/versions.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { WebhookTrigger } from './calls.ts';
import { type BotService, serviceInterfaces } from './service.ts';

/** The reason for a call of a bot's server. */
export interface WebhookOccasion {
  bot: User;
  service: BotService;
  message: Message;
  trigger: WebhookTrigger;
  /** The address of this service. */
  origin: string;
}

const TEAM_ID = 'T1';

/** The request to a bot's server; undefined for a Slack interface in a direct conversation, which it does not know. */
export function webhookRequest(occasion: WebhookOccasion) {
  const { bot, service, message } = occasion;
  const body = service.interface === serviceInterfaces.slack ? slackBody(occasion) : genericBody(occasion);
  return (
    body && {
      url: service.baseUrl,
      method: 'POST' as const,
      headers: {
        'content-type': body.contentType,
        'user-agent': `ZulipOutgoingWebhook/${serviceVersion}`,
        'x-delivery-id': `${message.messageId}-${bot.userId}`,
      },
      body: body.text,
    }
  );
}

function genericBody({ bot, service, message, trigger }: WebhookOccasion) {
  const {
    last_edit_timestamp: _edit,
    last_moved_timestamp: _move,
    edit_history: _history,
    ...record
  } = toMessageRecord(message, { applyMarkdown: false, clientGravatar: false, allowsEmptyTopic: true });
  const payload = {
    data: message.content,
    message: { ...record, rendered_content: message.html },
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    token: service.token,
    trigger,
  };
  return { contentType: 'application/json', text: JSON.stringify(payload) };
}

/** The form that Slack posts to outgoing webhooks. */
function slackBody({ bot, service, message, trigger, origin }: WebhookOccasion) {
  if (message.kind === 'direct') return undefined;
  const seconds = String(message.atSeconds);
  const form = new URLSearchParams({
    token: service.token,
    team_id: TEAM_ID,
    team_domain: new URL(origin).hostname,
    channel_id: `C${message.channelId}`,
    channel_name: message.channelName,
    thread_ts: seconds,
    timestamp: seconds,
    user_id: `U${message.senderId}`,
    user_name: message.senderFullName,
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.userId),
  });
  return { contentType: 'application/x-www-form-urlencoded', text: form.toString() };
}
