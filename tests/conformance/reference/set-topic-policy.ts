import {
  type Chapter,
  change,
  limit,
  operation,
  type Proof,
  parameter,
  rule,
  transition,
} from './statement.ts';

const CALLS = 'api/topics/set-topic-policy.test.ts';
const EVENTS = 'api/topics/set-topic-policy-events.test.ts';
const EACH: Proof = [CALLS, 'a preference > %i is kept, for that user and topic alone'];
const NEEDED: Proof = [CALLS, 'setting a preference takes > %s'];
const WRONG: Proof = [CALLS, 'setting a preference takes > not %j'];

export const setTopicPolicy: Chapter = {
  route: 'POST /user_topics',
  statements: [
    operation('Sets what the caller prefers of a topic', EACH),
    operation('The reply has no fields of its own', EACH),
    parameter('`stream_id`: an integer, required, a channel', NEEDED, WRONG),
    parameter('`topic`: text, required', NEEDED, WRONG),
    parameter('`topic` may be one to which no user ever sent a message', [
      CALLS,
      'a preference > may be of a topic of 60 characters, whatever they are',
    ]),
    limit('`topic` is no longer than `max_topic_length`', WRONG, [
      CALLS,
      'a preference > may be of a topic of 60 characters, whatever they are',
    ]),
    parameter('`visibility_policy`: 0, 1, 2 or 3, required', NEEDED, WRONG, EACH),
    rule('0 removes the preference', [
      EVENTS,
      'a change of a preference > a change of a preference that takes it away has its time, the first spelling and the policy 0',
    ]),
    rule('1 mutes the topic', [
      EVENTS,
      'the count of unread messages > leaves out muted topics, which stay unread',
    ]),
    rule('Two of the values unmute and follow; in a channel that is not muted, unmuting does nothing', EACH, [
      EVENTS,
      'the count of unread messages > leaves out muted channels, but not what is unmuted or followed there',
    ]),
    transition('Any policy may follow any other', [
      CALLS,
      'a preference > changes from each value to each other',
    ]),
    change('From level 370 on, `(no topic)` is the empty topic', [
      CALLS,
      'a preference > a preference of %j is one of the empty topic',
    ]),
  ],
};
