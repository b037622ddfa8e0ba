import { BadRequest } from '#shared/domain/errors.ts';
import type { Delivery, Integration, Note } from '../integration.ts';
import { fromMrkdwn } from '../mrkdwn.ts';
import { UnexpectedPayload } from '../payload.ts';
import { bold, link, paragraphs } from '../words.ts';

const TOPIC = 'Message from Slack';

/** Channels of Slack are topics or channels here. @throws BadRequest */
function placeOf(delivery: Delivery, channel: string | undefined): string {
  const mode = delivery.option('channels_map_to_topics');
  if (mode !== undefined && mode !== '0' && mode !== '1')
    throw new BadRequest('Error: channels_map_to_topics parameter other than 0 or 1');
  return mode === '1' && channel !== undefined ? `channel: ${channel}` : TOPIC;
}

/** An event of Slack's Events API. Slack sends the name of a person only with some messages. */
function message(delivery: Delivery): Note | undefined {
  const { payload } = delivery;
  const event = payload.at('event');
  if (event.has('bot_id') || event.has('subtype')) return undefined;
  const sender =
    event.find('user_profile.display_name') ?? event.find('user_profile.real_name') ?? event.text('user');
  const files = event
    .list('files')
    .map((file) => link(file.find('name') ?? 'file', file.find('permalink') ?? file.find('url_private')));
  const text = fromMrkdwn(event.find('text') ?? '');
  return {
    topic: placeOf(delivery, event.find('channel_name') ?? event.find('channel')),
    content: text === '' && files.length === 0 ? '' : paragraphs(`${bold(sender)}: ${text}`, ...files),
  };
}

/** The older outgoing webhooks of Slack. */
const older = (delivery: Delivery): Note => ({
  topic: placeOf(delivery, delivery.payload.find('channel_name')),
  content: `${bold(delivery.payload.text('user_name'))}: ${fromMrkdwn(delivery.payload.text('text'))}`,
});

export const slack: Integration = {
  slug: 'slack',
  displayName: 'Slack',
  categories: ['communication'],
  setup:
    'In an app of Slack: **Event subscriptions**, with the address as request URL and the event `message.channels`. People appear with the names that Slack sends.',
  body: 'formOrJson',
  isQuietAboutBody: true,
  options: {
    channels_map_to_topics: {
      kind: 'text',
      label: 'Whether the topic names the channel of Slack (1) or not (0)',
    },
    mapping: { kind: 'text', label: '' },
  },
  signature: { header: 'x-slack-signature', scheme: 'slack' },
  replies: ({ payload }) => {
    const challenge = payload.find('challenge');
    return payload.find('type') === 'url_verification' && challenge !== undefined ? { challenge } : {};
  },
  eventOf: ({ payload, header }) => {
    // Slack repeats requests that were not answered in three seconds; the first request has been answered by now.
    if (header('x-slack-retry-num') !== undefined || payload.find('type') === 'url_verification')
      return 'no_message';
    if (payload.has('event.type')) return payload.text('event.type');
    if (payload.has('user_name')) return 'outgoing_webhook';
    throw new UnexpectedPayload('event');
  },
  events: { message, outgoing_webhook: older },
  ignored: ['no_message'],
};
