import type { Client, Reply } from '#tests/harness/client.ts';

/** Every operation that speaks of a channel by id or by name, as a user calls it who may not know of the channel. */
export const operationsOnChannels: [
  name: string,
  call: (client: Client, channel: { channelId: number; name: string }, self: number) => Promise<Reply>,
][] = [
  ['getChannel', (client, { channelId }) => client.get(`/streams/${channelId}`)],
  ['listChannelMembers', (client, { channelId }) => client.get(`/streams/${channelId}/members`)],
  ['listTopics', (client, { channelId }) => client.get(`/users/me/${channelId}/topics`)],
  [
    'getSubscriptionStatus',
    (client, { channelId }, self) => client.get(`/users/${self}/subscriptions/${channelId}`),
  ],
  ['editChannel', (client, { channelId }) => client.patch(`/streams/${channelId}`, { description: 'x' })],
  [
    'editChannel: privacy',
    (client, { channelId }) => client.patch(`/streams/${channelId}`, { is_private: false }),
  ],
  ['archiveChannel', (client, { channelId }) => client.delete(`/streams/${channelId}`)],
  [
    'editSubscriptionProperties',
    (client, { channelId }) =>
      client.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
      }),
  ],
  ['addDefaultChannel', (client, { channelId }) => client.post('/default_streams', { stream_id: channelId })],
  [
    'removeDefaultChannel',
    (client, { channelId }) => client.delete('/default_streams', { stream_id: channelId }),
  ],
  ['getChannelId', (client, { name }) => client.get('/get_stream_id', { stream: name })],
  ['unsubscribe', (client, { name }) => client.delete('/users/me/subscriptions', { subscriptions: [name] })],
  [
    'sendMessage',
    (client, { channelId }) =>
      client.post('/messages', { type: 'channel', to: channelId, topic: 'x', content: 'x' }),
  ],
];

/** The text of a reply, without the name and number that the caller gave. */
export const sayingOf = (
  { status, body }: Reply,
  { channelId, name }: { channelId: number; name: string },
): string =>
  JSON.stringify({ status, ...body })
    .replaceAll(name, '<name>')
    .replaceAll(new RegExp(`\\b${channelId}\\b`, 'g'), '<id>');
