import type { Integration } from '../integration.ts';

export const zendesk: Integration = {
  slug: 'zendesk',
  displayName: 'Zendesk',
  categories: ['customer-support'],
  setup:
    "In Zendesk: **Admin center**, **Apps and integrations**, **Webhooks**; a trigger sends the fields `ticket_id`, `ticket_title` and `message`. Name the bot's address and its key as user and password in place of `api_key`.",
  body: 'formOrJson',
  usesBasic: true,
  signature: { header: 'x-zendesk-webhook-signature', scheme: 'zendesk' },
  deliveryIds: ['x-zendesk-webhook-invocation-id'],
  says: ({ payload }) => ({
    topic: `#${payload.text('ticket_id')}: ${payload.text('ticket_title')}`,
    content: payload.text('message'),
  }),
};
