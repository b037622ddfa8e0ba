import type { Chapter, Proof } from './statement.ts';

const CALLS = 'api/topics/set-topic-policy.test.ts';
const EVENTS = 'api/topics/set-topic-policy-events.test.ts';
const EACH: Proof = [CALLS, 'a preference > %i is kept, for that user and topic alone'];
const NEEDED: Proof = [CALLS, 'setting a preference takes > %s'];
const WRONG: Proof = [CALLS, 'setting a preference takes > not %j'];

export const setTopicPolicy: Chapter = {
  route: 'POST /user_topics',
  statements: [
    { kind: 'operation', says: 'Sets what the caller prefers of a topic', provenBy: [EACH] },
    { kind: 'operation', says: 'The reply has no fields of its own', provenBy: [EACH] },
    { kind: 'parameter', says: '`stream_id`: an integer, required, a channel', provenBy: [NEEDED, WRONG] },
    { kind: 'parameter', says: '`topic`: text, required', provenBy: [NEEDED, WRONG] },
    {
      kind: 'parameter',
      says: '`topic` may be one to which nobody ever sent a message',
      provenBy: [[CALLS, 'a preference > may be of a topic of 60 characters, whatever they are']],
    },
    {
      kind: 'limit',
      says: '`topic` is no longer than `max_topic_length`',
      provenBy: [WRONG, [CALLS, 'a preference > may be of a topic of 60 characters, whatever they are']],
    },
    {
      kind: 'parameter',
      says: '`visibility_policy`: 0, 1, 2 or 3, required',
      provenBy: [NEEDED, WRONG, EACH],
    },
    {
      kind: 'rule',
      says: '0 removes the preference',
      provenBy: [
        [
          EVENTS,
          'a change of a preference > that takes it away has its time, the first spelling and the policy 0',
        ],
      ],
    },
    {
      kind: 'rule',
      says: '1 mutes the topic',
      provenBy: [[EVENTS, 'the count of unread messages > leaves out muted topics, which stay unread']],
    },
    {
      kind: 'rule',
      says: 'Two of the values unmute and follow; in a channel that is not muted, unmuting does nothing',
      provenBy: [
        EACH,
        [
          EVENTS,
          'the count of unread messages > leaves out muted channels, but not what is unmuted or followed there',
        ],
      ],
    },
    {
      kind: 'transition',
      says: 'Any policy may follow any other',
      provenBy: [[CALLS, 'a preference > changes from each value to each other']],
    },
    {
      kind: 'change',
      says: 'From level 370 on, `(no topic)` is the empty topic',
      provenBy: [[CALLS, 'a preference > of %j is one of the empty topic']],
    },
  ],
};
