import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Scenario } from './scenario.ts';
import { absence, forgetLists, step, unless } from './scenario.ts';
import type { Stage } from './stage.ts';

const DUE_SECONDS = 20;
/** The steps fall before and after the moment at which a reminder is due. */
const AROUND_DUE_MS = 25_000;

async function remind(stage: Stage, note: string) {
  const { channelId } = await stage.channel(['Ada', 'Cy']);
  const [messageId] = await stage.messages('Ada', channelId, 'plans');
  return step('Cy', 'createReminder', async () => ({
    message_id: messageId,
    note,
    scheduled_delivery_timestamp: Math.floor(stage.world.simulation.nowMs / 1000) + DUE_SECONDS,
  }));
}

const isReminder =
  (note: string) =>
  ({ message }: LogEntry): boolean =>
    message?.content.includes(note) ?? false;

const tellsOf =
  (op: string) =>
  ({ events }: LogEntry): boolean =>
    events.some(({ payload }) => payload.type === 'reminders' && payload.op === op);

/** Reminders and exports, which workers see to later. */
export const waitingScenarios: Scenario[] = [
  {
    name: 'a reminder is made and deleted: it comes before that or never',
    prepare: async (stage) => {
      const note = `${stage.name('note')}.`;
      const listed = async () => {
        const { reminders } = await stage.query('Cy', 'listReminders');
        const mine = (reminders as SnapshotData[]).find(({ content }) => content.includes(note));
        return { reminder_id: mine?.reminder_id ?? 0 };
      };
      return {
        isOnce: true,
        act: [await remind(stage, note)],
        undo: [{ ...step('Cy', 'deleteReminder', listed), maxPauseMs: AROUND_DUE_MS, mayBeRefused: true }],
        forget: forgetLists('reminders'),
        claims: ({ seen, log }) => {
          const made = log.filter(tellsOf('add')).length;
          const sent = log.filter(isReminder(note)).length;
          const gone = log.filter((entry) => tellsOf('remove')(entry) && !isReminder(note)(entry)).length;
          const left: SnapshotData[] = seen.get('Cy')?.snapshot.reminders ?? [];
          const kept = left.filter(({ content }) => content.includes(note)).length;
          return unless(
            sent + gone + kept === made,
            `Of ${made} reminders ${sent} were sent, ${gone} deleted, and ${kept} are kept`,
          );
        },
      };
    },
  },
  {
    name: 'a person who wants to be reminded is deactivated and reactivated: the reminder is sent or kept',
    prepare: async (stage) => {
      const note = `${stage.name('note')}.`;
      const [deactivation, reactivation] = absence(stage, 'Cy');
      return {
        isOnce: true,
        act: [await remind(stage, note), { ...deactivation, maxPauseMs: AROUND_DUE_MS }],
        undo: [{ ...reactivation, maxPauseMs: AROUND_DUE_MS }],
        forget: forgetLists('reminders'),
        claims: ({ seen, log }) => {
          const kept: SnapshotData[] = seen.get('Cy')?.snapshot.reminders ?? [];
          const isKept = kept.some(({ content, failed }) => content.includes(note) && failed);
          // It is refused when it comes so late that it would be due in the past.
          const isMade = log.some(tellsOf('add'));
          return unless(
            !isMade || log.some(isReminder(note)) || isKept,
            'A reminder was neither sent nor kept as failed',
          );
        },
      };
    },
  },
  {
    name: 'an export is deleted and asked for again: the new archive stays, and of the old one nothing',
    prepare: async (stage) => {
      const { id } = await stage.call('Ada', 'createExport');
      return {
        isOnce: true,
        act: [step('Ada', 'deleteExport', { export_id: id })],
        undo: [step('Ada', 'createExport')],
        claims: async () => {
          const { files } = stage.world;
          const { exports } = await stage.call('Ada', 'listExports');
          const complete = (exports as SnapshotData[]).filter(({ export_url: url }) => url !== null);
          const stored = files.contents.map(([name]) => name).filter((name) => files.find(name));
          const left = stored.filter((name) => name.startsWith('exports/'));
          return [
            ...unless(complete.length > 0, 'There is no archive of the new export'),
            ...unless(!complete.some((archive) => archive.id === id), 'The old export came back'),
            ...unless(
              left.length === complete.length && left.every((name) => !name.startsWith(`exports/${id}/`)),
              `Of exports there is left: ${left.join(', ')}`,
            ),
          ];
        },
      };
    },
  },
];
