import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Plan, Scenario, Step } from './scenario.ts';
import { absence, forgetLists, forgetMessages, step, unless } from './scenario.ts';
import type { Stage } from './stage.ts';

const DUE_SECONDS = 20;
/** The steps fall before and after the moment at which the message is due. */
const AROUND_DUE_MS = 25_000;

/** Something is done around the moment at which a message of Cy is due, and taken back. */
function aroundDelivery(stage: Stage, channelId: number, [act, undo]: [Step, Step]): Plan {
  const content = stage.name('scheduled message');
  const schedule = step('Cy', 'createScheduledMessage', async () => ({
    type: 'channel',
    to: channelId,
    topic: 'plans',
    content,
    scheduled_delivery_timestamp: Math.floor(stage.world.simulation.nowMs / 1000) + DUE_SECONDS,
  }));
  return {
    isOnce: true,
    act: [
      { ...schedule, mayBeRefused: true },
      { ...act, maxPauseMs: AROUND_DUE_MS },
    ],
    undo: [{ ...undo, maxPauseMs: AROUND_DUE_MS }],
    forget: (view) => {
      forgetMessages(view);
      forgetLists('scheduled_messages', 'user_topics', 'muted_topics')(view);
    },
    claims: ({ seen, log }) => {
      const isSent = log.some(({ message }) => message?.content === content);
      // It is refused when it comes so late that it would be due in the past.
      const isMade = log.some(({ events }) =>
        events.some(
          ({ payload: { type, op } }: { payload: SnapshotData }) =>
            type === 'scheduled_messages' && op === 'add',
        ),
      );
      const kept = seen.get('Cy')?.snapshot.scheduled_messages ?? [];
      const isKept = kept.some(
        (message: { content: string; failed: boolean }) => message.content === content && message.failed,
      );
      return unless(!isMade || isSent || isKept, 'A scheduled message was neither sent nor kept as failed');
    },
  };
}

/** Messages that are due while their sender or their channel is away for a time. */
export const scheduledScenarios: Scenario[] = [
  {
    name: 'the sender of a scheduled message is deactivated and reactivated: it is sent or kept',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy']);
      return aroundDelivery(stage, channelId, absence(stage, 'Cy'));
    },
  },
  {
    name: 'the channel of a scheduled message is archived and brought back: it is sent or kept',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy']);
      return aroundDelivery(stage, channelId, [
        step('Ada', 'archiveChannel', { stream_id: channelId }),
        step('Ada', 'editChannel', { stream_id: channelId, is_archived: false }),
      ]);
    },
  },
];
