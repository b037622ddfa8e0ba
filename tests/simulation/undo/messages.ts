import type { Scenario } from './scenario.ts';
import { step, unless } from './scenario.ts';
import type { Stage } from './stage.ts';

/** More messages than one transaction moves, so that a job moves the rest. */
const MANY = 90;

const FOLLOWED = 3;
const MUTED = 1;

async function preferring(stage: Stage, channelId: number, topic: string): Promise<void> {
  const choose = (by: string, policy: number) =>
    stage.call(by, 'setTopicPolicy', { stream_id: channelId, topic, visibility_policy: policy });
  await choose('Cy', FOLLOWED);
  await choose('Gil', MUTED);
}

const quietly = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };

/** Moved messages, and the policies of their topics. */
export const messageScenarios: Scenario[] = [
  {
    name: 'a long topic is renamed and named as before',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      const [from, to] = [stage.name('topic'), stage.name('topic')];
      const ids = await stage.messages('Ada', channelId, from, MANY);
      await preferring(stage, channelId, from);
      const move = { propagate_mode: 'change_all', ...quietly };
      return {
        act: [step('Ada', 'editMessage', { message_id: ids[0], topic: to, ...move })],
        undo: [step('Ada', 'editMessage', { message_id: ids[0], topic: from, ...move })],
      };
    },
  },
  {
    name: 'a long topic is moved to another channel and back',
    prepare: async (stage) => {
      const [here, there] = [
        await stage.channel(['Ada', 'Cy', 'Gil']),
        await stage.channel(['Ada', 'Cy', 'Gil']),
      ];
      const topic = stage.name('topic');
      const ids = await stage.messages('Ada', here.channelId, topic, MANY);
      await preferring(stage, here.channelId, topic);
      const move = { message_id: ids.at(-1), propagate_mode: 'change_all', ...quietly };
      return {
        act: [step('Ada', 'editMessage', { ...move, stream_id: there.channelId })],
        undo: [step('Ada', 'editMessage', { ...move, stream_id: here.channelId })],
      };
    },
  },
  {
    name: 'the later part of a topic is moved and taken back',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      const [from, to] = [stage.name('topic'), stage.name('topic')];
      const ids = await stage.messages('Ada', channelId, from, MANY + 20);
      await preferring(stage, channelId, from);
      return {
        act: [
          step('Ada', 'editMessage', {
            message_id: ids[10],
            topic: to,
            propagate_mode: 'change_later',
            ...quietly,
          }),
        ],
        undo: [
          step('Ada', 'editMessage', {
            message_id: ids[10],
            topic: from,
            propagate_mode: 'change_all',
            ...quietly,
          }),
        ],
        // If topics merge, a user who muted one of them has muted neither.
        forget: (observation) => {
          for (const { snapshot } of observation.values()) {
            snapshot.user_topics = snapshot.user_topics.filter(
              (one: { visibility_policy: number }) => one.visibility_policy !== MUTED,
            );
            snapshot.muted_topics = [];
          }
        },
      };
    },
  },
  {
    name: 'a topic is resolved and unresolved',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      const topic = stage.name('topic');
      const [first] = await stage.messages('Ada', channelId, topic, 3);
      await preferring(stage, channelId, topic);
      const rename = (to: string) =>
        step('Ada', 'editMessage', { message_id: first, topic: to, propagate_mode: 'change_all' });
      return {
        act: [rename(`✔ ${topic}`)],
        undo: [rename(topic)],
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
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      const [from, to, last] = [stage.name('topic'), stage.name('topic'), stage.name('topic')];
      const ids = await stage.messages('Ada', channelId, from, MANY);
      await preferring(stage, channelId, from);
      const rename = (topic: string) =>
        step('Ada', 'editMessage', { message_id: ids[0], topic, propagate_mode: 'change_all', ...quietly });
      return {
        act: [rename(to), rename(last)],
        undo: [rename(from)],
      };
    },
  },
  {
    name: 'a topic is moved with notes, and moved back with notes',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      const [from, to] = [stage.name('topic'), stage.name('topic')];
      const [first] = await stage.messages('Ada', channelId, from, 3);
      const rename = (topic: string) =>
        step('Ada', 'editMessage', { message_id: first, topic, propagate_mode: 'change_all' });
      return { act: [rename(to)], undo: [rename(from)] };
    },
  },
  {
    name: 'the policy of a person for a moved topic is the one that they set last',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      const [from, to] = [stage.name('topic'), stage.name('topic')];
      const [first] = await stage.messages('Ada', channelId, from, 3);
      await preferring(stage, channelId, from);
      const rename = (topic: string) =>
        step('Ada', 'editMessage', { message_id: first, topic, propagate_mode: 'change_all', ...quietly });
      return {
        act: [rename(to)],
        undo: [
          step('Cy', 'setTopicPolicy', { stream_id: channelId, topic: to, visibility_policy: MUTED }),
          rename(from),
        ],
        forget: (observation) => {
          const view = observation.get('Cy');
          if (!view) return;
          view.snapshot.user_topics = [];
          view.snapshot.muted_topics = [];
        },
        claims: ({ seen }) => {
          const topics: { topic_name: string; visibility_policy: number }[] =
            seen.get('Cy')?.snapshot.user_topics;
          const kept = topics.find(({ topic_name: name }) => name === from)?.visibility_policy;
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
        undo: [step('Cy', 'setTopicPolicy', { stream_id: channelId, topic, visibility_policy: 2 })],
        isOnce: true,
        forget: (observation) => {
          for (const { snapshot } of observation.values()) snapshot.user_topics = [];
        },
        claims: ({ seen }) => {
          const topics: { topic_name: string; visibility_policy: number }[] =
            seen.get('Cy')?.snapshot.user_topics;
          const kept = topics.find(({ topic_name: name }) => name === topic)?.visibility_policy;
          return unless(kept === 2, `Cy unmuted the topic last, and it is ${kept}`);
        },
      };
    },
  },
];
