import type { Sample } from '../sample.ts';

const event = {
  type: 'message',
  user: 'U06NU4E26M9',
  channel: 'C06NRA6',
  text: 'See <https://x.example|this>, *now*.',
};

export const samples: Sample[] = [
  { name: 'handshake', event: 'no_message', payload: { type: 'url_verification', challenge: 'abc' } },
  { name: 'message', event: 'message', payload: { type: 'event_callback', event } },
  {
    name: 'message of a person with a name and a file',
    event: 'message',
    query: { channels_map_to_topics: '1' },
    payload: {
      type: 'event_callback',
      event: {
        ...event,
        channel_name: 'general',
        user_profile: { display_name: 'Ada' },
        files: [{ name: 'wheel.png', permalink: 'https://acme.slack.com/f/1' }],
      },
    },
  },
  { name: 'message of a bot', event: 'message', payload: { event: { ...event, bot_id: 'B1' } } },
  {
    name: 'repeated request',
    event: 'no_message',
    headers: { 'x-slack-retry-num': '1' },
    payload: { event },
  },
  {
    name: 'older webhook',
    event: 'outgoing_webhook',
    query: { channels_map_to_topics: '1' },
    form: { user_name: 'ada', text: 'Hello', channel_name: 'general' },
  },
];
