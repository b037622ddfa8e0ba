import { type Chapter, change, limit, operation, parameter, rule, transition } from './statement.ts';

export const setTopicPolicy: Chapter = {
  route: 'POST /user_topics',
  statements: [
    operation('set-topic-policy.1', 'Sets the caller’s policy for a topic'),
    operation('set-topic-policy.2', 'The reply has no fields of its own'),
    parameter('set-topic-policy.3', '`stream_id`: an integer, required, a channel'),
    parameter('set-topic-policy.4', '`topic`: text, required'),
    parameter('set-topic-policy.5', '`topic` may be one to which no user ever sent a message'),
    limit('set-topic-policy.6', '`topic` is no longer than `max_topic_length`'),
    parameter('set-topic-policy.7', '`visibility_policy`: 0, 1, 2 or 3, required'),
    rule('set-topic-policy.8', '0 removes the preference'),
    rule('set-topic-policy.9', '1 mutes the topic'),
    rule(
      'set-topic-policy.10',
      'Two of the values unmute and follow; in a channel that is not muted, unmuting does nothing',
    ),
    transition('set-topic-policy.11', 'Any policy may follow any other'),
    change('set-topic-policy.12', 'From level 370 on, `(no topic)` is the empty topic'),
  ],
};
