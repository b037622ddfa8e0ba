import * as z from 'zod/mini';
import { updateFlags } from '#shared/actions/reading/update-flags.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { channelsOf, hasReceived, mayRead, subscriptionsIn } from '#shared/domain/messages/access.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { readFlagEdit } from '#shared/domain/reading/flag-edit.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { listFactsById } from '#shared/store/messages/message-facts.ts';

const MAX_MESSAGES = 5_000;

/** Adds a flag to messages or removes it; affects only the caller. */
export const updateMessageFlags = endpoint({
  route: 'POST /messages/flags',
  summary: 'Update personal message flags',
  allow: 'user',
  scope: 'organize',
  isFrequent: true,
  params: {
    messages: json(z.array(z.int()), 'The messages'),
    op: text(z.string(), '`add` or `remove`'),
    flag: text(z.string(), '`read`, `starred`, `collapsed` or `hide_link_previews`'),
  },
  result: z.object({
    messages: z.array(z.int()),
    ignored_because_not_subscribed_channels: z.array(z.int()),
  }),
  errors: [BadRequest],
  emits: ['update_message_flags/add', 'update_message_flags/remove'],
  uses: { table: 'write', areas: ['messages'], bus: true },
  timeoutSeconds: 29,
  async handle({ messages: messageIds, op, flag }, { services, caller }) {
    const edit = readFlagEdit(flag, op);
    if (messageIds.length > MAX_MESSAGES)
      throw new BadRequest(`Too many messages requested (maximum ${MAX_MESSAGES}).`);
    const { table } = services;
    const views: ChannelViews = new Map();
    const existing = await listFactsById(table, messageIds);
    await loadChannelViews(table, caller.userId, views, existing.flatMap(channelsOf));
    const viewOf = (messageFacts: MessageFacts) =>
      messageFacts.kind === 'channel' ? views.get(messageFacts.channelId) : undefined;
    // Recipients of a message keep their flags even if they may no longer read it.
    const readable = existing.filter(
      (message) =>
        mayRead(caller, message, viewOf(message)) || hasReceived(caller, message, subscriptionsIn(views)),
    );
    // Unreadable messages do not count as unread, so an error is unnecessary.
    if (edit.flag !== 'read' && readable.length < new Set(messageIds).size)
      throw new BadRequest('Invalid message(s)');
    const { ignoredChannelIds } = await updateFlags(services, caller, edit, readable, views);
    return { messages: messageIds, ignored_because_not_subscribed_channels: ignoredChannelIds };
  },
});

export const handler = lambda(updateMessageFlags, awsServices);
