import type { Observation } from './observation.ts';
import type { Scenario } from './scenario.ts';
import { forgetLists, step, unless } from './scenario.ts';
import type { Stage } from './stage.ts';

/** More messages than one transaction moves, so that a job moves the rest. */
const MANY = 90;

const MUTED = 1;
const UNMUTED = 2;
const FOLLOWED = 3;

const quietly = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };

/** A topic with messages, which Cy follows and Gil mutes, in a channel of three. */
async function topicWithPolicies(stage: Stage, count: number) {
  const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
  const topic = stage.name('topic');
  const ids = await stage.messages('Ada', channelId, topic, count);
  await stage.choose('Cy', channelId, topic, FOLLOWED);
  await stage.choose('Gil', channelId, topic, MUTED);
  return { channelId, topic, ids };
}

/** Moves the whole topic of a message to a topic or a channel. */
const move = (id: number | undefined, to: string | number, more: object = quietly) =>
  step('Ada', 'editMessage', {
    message_id: id,
    ...(typeof to === 'string' ? { topic: to } : { stream_id: to }),
    propagate_mode: 'change_all',
    ...more,
  });

const policyOfCy = (seen: Observation, topic: string): number | undefined => {
  const topics: { topic_name: string; visibility_policy: number }[] = seen.get('Cy')?.snapshot.user_topics;
  return topics.find(({ topic_name: name }) => name === topic)?.visibility_policy;
};

/** Moved messages, and the policies of their topics. */
export const messageScenarios: Scenario[] = [
  {
    name: 'a long topic is renamed and named as before',
    prepare: async (stage) => {
      const { topic, ids } = await topicWithPolicies(stage, MANY);
      return { act: [move(ids[0], stage.name('topic'))], undo: [move(ids[0], topic)] };
    },
  },
  {
    name: 'a long topic is moved to another channel and back',
    prepare: async (stage) => {
      const { channelId, ids } = await topicWithPolicies(stage, MANY);
      const { channelId: otherId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      return { act: [move(ids.at(-1), otherId)], undo: [move(ids.at(-1), channelId)] };
    },
  },
  {
    name: 'the later part of a topic is moved and taken back',
    prepare: async (stage) => {
      const { topic, ids } = await topicWithPolicies(stage, MANY + 20);
      return {
        act: [move(ids[10], stage.name('topic'), { ...quietly, propagate_mode: 'change_later' })],
        undo: [move(ids[10], topic)],
        // If topics merge, a user who muted one of them has muted neither.
        forget: ({ snapshot }) => {
          snapshot.user_topics = snapshot.user_topics.filter(
            ({ visibility_policy: policy }: { visibility_policy: number }) => policy !== MUTED,
          );
          snapshot.muted_topics = [];
        },
      };
    },
  },
  {
    name: 'a topic is resolved and unresolved',
    prepare: async (stage) => {
      const { topic, ids } = await topicWithPolicies(stage, 3);
      return {
        act: [move(ids[0], `✔ ${topic}`, {})],
        undo: [move(ids[0], topic, {})],
        claims: ({ log }) => {
          const stray = log.find(
            ({ message }) => message?.kind === 'channel' && message.topic === `✔ ${topic}`,
          );
          return unless(!stray, `A note is alone in the resolved topic, at ${stray?.position}`);
        },
      };
    },
  },
  {
    name: 'a long topic is renamed twice: all of it has the second name',
    prepare: async (stage) => {
      const { topic, ids } = await topicWithPolicies(stage, MANY);
      return {
        act: [move(ids[0], stage.name('topic')), move(ids[0], stage.name('topic'))],
        undo: [move(ids[0], topic)],
      };
    },
  },
  {
    name: 'a topic is moved with notes, and moved back with notes',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      const [from, to] = [stage.name('topic'), stage.name('topic')];
      const [first] = await stage.messages('Ada', channelId, from, 3);
      return { act: [move(first, to, {})], undo: [move(first, from, {})] };
    },
  },
  {
    name: 'the policy of a person for a moved topic is the one that they set last',
    prepare: async (stage) => {
      const { channelId, topic, ids } = await topicWithPolicies(stage, 3);
      const to = stage.name('topic');
      return {
        act: [move(ids[0], to)],
        undo: [
          step('Cy', 'setTopicPolicy', { stream_id: channelId, topic: to, visibility_policy: MUTED }),
          move(ids[0], topic),
        ],
        forget: (view, name) => {
          if (name === 'Cy') forgetLists('user_topics', 'muted_topics')(view);
        },
        claims: ({ seen }) => {
          const kept = policyOfCy(seen, topic);
          return unless(kept === MUTED, `Cy muted the topic last, and it is ${kept}`);
        },
      };
    },
  },
  {
    name: 'a person who is mentioned in a topic and then unmutes it has it unmuted',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy']);
      const topic = stage.name('topic');
      const content = `@**Cy** ${stage.name('look')}`;
      return {
        act: [step('Ada', 'sendMessage', { type: 'channel', to: channelId, topic, content })],
        undo: [step('Cy', 'setTopicPolicy', { stream_id: channelId, topic, visibility_policy: UNMUTED })],
        isOnce: true,
        forget: forgetLists('user_topics'),
        claims: ({ seen }) => {
          const kept = policyOfCy(seen, topic);
          return unless(kept === UNMUTED, `Cy unmuted the topic last, and it is ${kept}`);
        },
      };
    },
  },
];
