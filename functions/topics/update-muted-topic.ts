import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { wholeTopic } from '#shared/api/contracts/channels.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, MissingArgument } from '#shared/domain/errors.ts';
import { checkTopic } from '#shared/domain/messages/topic.ts';
import { muteTopicChange, unmuteTopicChange } from '#shared/domain/topics/mute.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { findChannelByName } from '#shared/store/channels/channels.ts';
import { loadTopicState } from '#shared/store/topics/topic-preferences.ts';

/** Mutes or unmutes a topic, for clients without support for other policies. */
export const updateMutedTopic = endpoint({
  route: 'PATCH /users/me/subscriptions/muted_topics',
  summary: 'Mute or unmute a topic (legacy)',
  allow: 'user',
  scope: 'organize',
  needs: ['knowChannel'],
  params: {
    stream: optional(text(z.string(), 'The name of the channel')),
    stream_id: optional(json(z.int(), 'The channel, unless it is named')),
    topic: text(wholeTopic, 'The topic'),
    op: text(z.enum(['add', 'remove']), '`add` mutes, `remove` unmutes'),
  },
  result: nothing,
  errors: [BadRequest, MissingArgument],
  emits: ['user_topic', 'muted_topics'],
  uses: { table: 'write' },
  async handle(params, { services, caller }) {
    const { table, clock } = services;
    const channel = readChannel(params.stream_id, params.stream);
    const topic = checkTopic(params.topic);
    const channelId =
      typeof channel === 'number' ? channel : (await findChannelByName(table, channel))?.channelId;
    const state = await loadTopicState(table, caller, channelId);
    const decide = params.op === 'add' ? muteTopicChange : unmuteTopicChange;
    const change = decide(state, { channel, channelId, topic }, toSeconds(clock.nowMs()));
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(updateMutedTopic, awsServices);

/** The channel by id or by name, but not both. */
function readChannel(channelId: number | undefined, name: string | undefined): number | string {
  if (channelId !== undefined && name !== undefined)
    throw new BadRequest('Unsupported parameter combination: stream_id, stream');
  const channel = channelId ?? name?.trim();
  if (channel === undefined) throw new MissingArgument('stream_id');
  return channel;
}
