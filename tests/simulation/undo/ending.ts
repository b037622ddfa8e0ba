import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Scenario } from './scenario.ts';
import { forgetMessages, step, unless } from './scenario.ts';
import type { Stage } from './stage.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const SWEEP_INTERVAL_MS = 900;
const MESSAGES = 20;

/** The result of a call on an expired thing, whether the table has deleted that or not. */
async function endOf(call: () => Promise<unknown>): Promise<'accepted' | 'refused'> {
  try {
    await call();
    return 'accepted';
  } catch {
    return 'refused';
  }
}

/** Sends messages in a channel, and more of them after two days, whose ids it returns. */
async function sendWithinDays(stage: Stage, channelId: number): Promise<number[]> {
  const send = () => stage.messages('Ada', channelId, 'plans', MESSAGES);
  await send();
  await stage.pass(2 * DAY_MS);
  return send();
}

/** A thing that ends by itself when its time is over, and not before. */
export const endingScenarios: Scenario[] = [
  {
    name: 'old messages are to be deleted for a while: no other message goes',
    prepare: async (stage) => {
      const passing = await stage.channel(['Ada', 'Cy']);
      const lasting = await stage.channel(['Ada', 'Cy'], { message_retention_days: '"unlimited"' });
      const inPassing = await sendWithinDays(stage, passing.channelId);
      const inLasting = await stage.messages('Ada', lasting.channelId, 'plans', MESSAGES);
      // Whatever else was sent before is as old as the old ones.
      const staying = [...inPassing, ...inLasting];
      const retain = (days: number | string) =>
        step(stage.owner, 'editOrganization', { message_retention_days: days });
      return {
        isOnce: true,
        act: [retain(1)],
        undo: [{ ...retain('unlimited'), maxPauseMs: 3 * SWEEP_INTERVAL_MS }],
        forget: (view) => forgetMessages(view, (id) => staying.includes(id)),
        claims: ({ log }) => {
          const gone = log.flatMap(({ events }) =>
            events.flatMap(({ payload }) =>
              payload.type === 'delete_message' ? (payload as SnapshotData).message_ids : [],
            ),
          );
          const wrong = staying.filter((id) => gone.includes(id));
          return unless(wrong.length === 0, `Messages went before their time: ${wrong}`);
        },
      };
    },
  },
  {
    name: 'a link for another password has ended after an hour, whether the table has deleted it or not',
    prepare: async (stage) => {
      await stage.call('Cy', 'askForPasswordReset', { email: stage.account('Cy').email });
      return {
        isOnce: true,
        act: [step('Cy', 'muteUser', { muted_user_id: stage.id('Bo') })],
        undo: [step('Cy', 'unmuteUser', { muted_user_id: stage.id('Bo') })],
        claims: async () => {
          const key = stage.world.mailedResetKeys.at(-1);
          await stage.pass(2 * HOUR_MS);
          const reset = () => stage.call('Cy', 'resetPassword', { key, password: 'a password that is new' });
          return unless(
            key !== undefined && (await endOf(reset)) === 'refused',
            'A link was taken after its end',
          );
        },
      };
    },
  },
];
