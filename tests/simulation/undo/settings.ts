import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';
import { pushRegistration } from '#tests/simulation/people/requests.ts';
import type { Scenario } from './scenario.ts';
import { forgetLists, forgetMessages, step, unless } from './scenario.ts';
import type { Stage } from './stage.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Enough that it takes the sweep a while. */
const MESSAGES = 120;
const SWEEP_INTERVAL_MS = 900;

async function createSelectField(stage: Stage, choices: string[]): Promise<number> {
  const { id } = await stage.call('Ada', 'createProfileField', {
    name: stage.name('field'),
    field_type: 3,
    field_data: choicesOf(choices),
  });
  return Number(id);
}

const choicesOf = (choices: string[]) =>
  Object.fromEntries(
    choices.map((choice, index) => [choice, { text: `the ${choice}`, order: String(index) }]),
  );

/** No event of a type may follow the message by which a person says that they have undone something. */
function unlessLater(log: LogEntry[], content: string, is: (payload: AnyPayload) => boolean): string[] {
  const taken = log.find(({ message }) => message?.content === content)?.position ?? 0;
  const last = log.findLast(({ events }) => events.some(({ payload }) => is(payload)))?.position ?? 0;
  return unless(last < taken, `It went on at ${last}, although it was taken back before ${taken}`);
}

/** Settings of the organization and of people. */
export const settingScenarios: Scenario[] = [
  {
    name: 'old messages are to be deleted, and then to be kept: none is deleted after that',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy']);
      await stage.messages('Ada', channelId, 'plans', MESSAGES);
      await stage.pass(2 * DAY_MS);
      const retain = (days: number | string) =>
        step(stage.owner, 'editOrganization', { message_retention_days: days });
      const content = stage.name('message');
      return {
        isOnce: true,
        act: [retain(1)],
        undo: [
          { ...retain('unlimited'), maxPauseMs: SWEEP_INTERVAL_MS },
          step('Ada', 'sendMessage', { type: 'channel', to: channelId, topic: 'plans', content }),
        ],
        forget: (view) => forgetMessages(view),
        claims: ({ log }) => unlessLater(log, content, ({ type }) => type === 'delete_message'),
      };
    },
  },
  {
    name: 'a choice of a profile field is taken away and given back: no value goes after that',
    prepare: async (stage) => {
      const fieldId = await createSelectField(stage, ['red', 'green']);
      for (const by of stage.everyone)
        await stage.call(by, 'editOwnProfile', { data: [{ id: fieldId, value: 'red' }] });
      const offer = (choices: string[]) =>
        step('Ada', 'editProfileField', { field_id: fieldId, field_data: choicesOf(choices) });
      const content = stage.name('message');
      return {
        isOnce: true,
        act: [offer(['green'])],
        undo: [
          offer(['red', 'green']),
          step('Ada', 'sendMessage', { type: 'direct', to: [stage.id('Ada')], content }),
        ],
        forget: ({ snapshot }) => {
          for (const person of snapshot.realm_users) delete person.profile_data;
        },
        claims: ({ log }) =>
          unlessLater(
            log,
            content,
            ({ person }) => (person as Record<string, unknown>)?.custom_profile_field !== undefined,
          ),
      };
    },
  },
  {
    name: 'drafts are given up and kept again: new ones stay',
    prepare: async (stage) => {
      const content = stage.name('draft');
      await stage.call('Cy', 'createDrafts', { drafts: [{ type: '', to: [], topic: '', content: 'old' }] });
      const keep = (isKept: boolean) => step('Cy', 'editSettings', { enable_drafts_synchronization: isKept });
      return {
        act: [keep(false)],
        undo: [
          keep(true),
          step('Cy', 'createDrafts', { drafts: [{ type: '', to: [], topic: '', content }] }),
        ],
        forget: forgetLists('drafts'),
        claims: ({ seen }) => {
          const drafts: { content: string }[] = seen.get('Cy')?.snapshot.drafts;
          return unless(
            drafts.some((draft) => draft.content === content),
            'A draft is lost that was made after drafts were kept again',
          );
        },
      };
    },
  },
  {
    name: 'a folder of channels is archived and brought back',
    prepare: async (stage) => {
      const { channel_folder_id: id } = await stage.call('Ada', 'createChannelFolder', {
        name: stage.name('folder'),
      });
      const archive = (isArchived: boolean) =>
        step('Ada', 'editChannelFolder', { channel_folder_id: id, is_archived: isArchived });
      return { act: [archive(true)], undo: [archive(false)] };
    },
  },
  {
    name: 'a person is muted and unmuted',
    prepare: (stage) => ({
      act: [step('Cy', 'muteUser', { muted_user_id: stage.id('Bo') })],
      undo: [step('Cy', 'unmuteUser', { muted_user_id: stage.id('Bo') })],
    }),
  },
  {
    name: 'an alert word is removed and added again',
    prepare: async (stage) => {
      const words = { alert_words: [stage.name('word')] };
      await stage.call('Cy', 'addAlertWords', words);
      return { act: [step('Cy', 'removeAlertWords', words)], undo: [step('Cy', 'addAlertWords', words)] };
    },
  },
  {
    name: 'a device is removed while its token is being registered: it stays removed',
    prepare: async (stage) => {
      const { device_id: deviceId } = await stage.call('Cy', 'registerClientDevice');
      const registration = pushRegistration(Number(deviceId), 7, 'token001');
      return {
        act: [step('Cy', 'registerPushDevice', registration)],
        undo: [step('Cy', 'removeClientDevice', { device_id: deviceId })],
        isOnce: true,
        forget: ({ snapshot }) => {
          snapshot.devices = {};
        },
        claims: ({ seen }) => {
          const devices: object = seen.get('Cy')?.snapshot.devices ?? {};
          return unless(!(deviceId in devices), 'A device is there again that was removed');
        },
      };
    },
  },
];
