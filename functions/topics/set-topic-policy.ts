import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { wholeTopic } from '#shared/api/contracts/channels.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { checkTopic } from '#shared/domain/messages/topic.ts';
import { choiceChange } from '#shared/domain/topics/choose.ts';
import { isTopicPolicy, type TopicPolicy } from '#shared/domain/topics/preference.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { loadTopicState } from '#shared/store/topics/topic-preferences.ts';

/** Mutes, unmutes or follows a topic for the caller, or resets it to the channel's policy. */
export const setTopicPolicy = endpoint({
  route: 'POST /user_topics',
  summary: 'Update topic preferences',
  allow: 'user',
  scope: 'organize',
  needs: ['knowChannel'],
  params: {
    stream_id: json(z.int(), 'The channel'),
    topic: text(wholeTopic, 'The topic; it need not have messages'),
    visibility_policy: json(
      z.int().check(z.refine(isTopicPolicy, { error: 'Invalid {p}' })),
      '0 removes the preference, 1 mutes, 2 unmutes, 3 follows',
    ),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['user_topic', 'muted_topics'],
  uses: { table: 'write' },
  async handle(params, { services, caller }) {
    const choice = {
      channelId: params.stream_id,
      topic: checkTopic(params.topic),
      policy: params.visibility_policy as TopicPolicy,
    };
    const state = await loadTopicState(services.table, caller, choice.channelId);
    const change = choiceChange(state, choice, toSeconds(services.clock.nowMs()));
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(setTopicPolicy, awsServices);
