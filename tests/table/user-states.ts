import { addAlertWords } from '#shared/domain/alert-words/alert-words.ts';
import { giveUpWrite } from '#shared/domain/allowance.ts';
import { draftEditChange } from '#shared/domain/drafts/changes.ts';
import { newViewChange } from '#shared/domain/navigation-views/changes.ts';
import { addDeviceChange } from '#shared/domain/push/changes.ts';
import {
  markAllChange,
  rareFlagChanges,
  readChanges,
  unreadChanges,
} from '#shared/domain/reading/changes.ts';
import { Marks } from '#shared/domain/reading/marks.ts';
import { snippetEditChange } from '#shared/domain/saved-snippets/changes.ts';
import { failureChange } from '#shared/domain/scheduled-messages/changes.ts';
import { settingWrites } from '#shared/domain/settings/change.ts';
import { choiceChange } from '#shared/domain/topics/choose.ts';
import { noStatus, statusChange } from '#shared/domain/user-statuses/status.ts';
import { muteChange } from '#shared/domain/users/muted-users.ts';
import { type Account, roles, type User } from '#shared/domain/users/user.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import type { Write } from '#shared/table/table.ts';
import { allowance, CHANNEL, channel, type Kind, OTHER_USER, USER, writesOf } from './state-kind.ts';

const MESSAGE = 3;

const account = { userId: USER, hasAlertWords: true } as Account;
const owner = { userId: OTHER_USER, marks: marks(0, 0) };
const message = { messageId: MESSAGE, kind: 'direct', recipients: [{ id: USER }] } as never;
const hearing = { isMuted: () => false, isCall: () => false };

const topicState = (revision: number) => ({
  user: { userId: USER, role: roles.member } as User,
  ...{ revision, preferences: [], removals: [] },
  views: new Map([[CHANNEL, { channel: channel({}), subscription: undefined }]]),
});

/** Marks after so many changes of the read state, and of the block of the message. */
function marks(state: number, block: number): Marks {
  const read = new Uint8Array();
  const known = new Marks({
    ...{ floor: 0, revision: state, markedAllAt: 0 },
    ...{
      unreadBlocks: new Set(),
      starredBlocks: new Set(),
      collapsedBlocks: new Set(),
      hiddenPreviewBlocks: new Set(),
    },
  });
  if (block > 0) known.addBlock({ block: 0, revision: block, markedAllAt: 0, read, unread: read });
  if (block > 0) known.addFlagged('starred', { block: 0, revision: block, ids: new Set() });
  return known;
}

/** Kinds of personal state. */
export const userKinds: Kind[] = [
  {
    what: 'the alert words of a user',
    seen: (revision) => writesOf(addAlertWords(account, { words: [], past: [], revision }, ['tea']).change),
  },
  {
    what: 'the users that a user mutes',
    seen: (revision) => writesOf(muteChange({ userId: USER, revision, mutedUsers: [] }, OTHER_USER, 0)),
  },
  {
    what: 'the navigation views of a user',
    seen: (revision) =>
      writesOf(
        newViewChange(
          { userId: USER, revision, views: [] },
          { fragment: 'inbox', isPinned: true, name: null },
        ),
      ),
  },
  {
    what: 'the devices of a user',
    seen: (revision) => writesOf(addDeviceChange({ userId: USER, revision, devices: [] }, 1)),
  },
  {
    what: 'the status of a user',
    seen: (revision) => statusChange({ ...noStatus(USER), revision }, { text: 'here' }).writes as Write[],
  },
  {
    what: 'the settings of a user',
    seen: (revision) => settingWrites(USER, { values: {}, revision }, { enter_sends: true }),
  },
  {
    what: 'the topics that a user has preferences for',
    seen: (revision) =>
      writesOf(
        choiceChange(topicState(revision), { channelId: CHANNEL, topic: `${revision}`, policy: 1 }, 0),
      ),
  },
  {
    what: 'messages that become read',
    seen: (block) => readChanges({ userId: USER, marks: marks(0, block) }, [MESSAGE]).flatMap(writesOf),
  },
  {
    what: 'messages that become unread',
    seen: (count) =>
      unreadChanges({ ...owner, marks: marks(count, count) }, [message], hearing).flatMap(writesOf),
  },
  {
    what: 'the read state when everything becomes read',
    seen: (state) => writesOf(markAllChange({ userId: 9, marks: marks(state, 0) })),
  },
  {
    what: 'the messages that a user stars',
    seen: (block) =>
      rareFlagChanges({ userId: USER, marks: marks(0, block) }, { flag: 'starred', op: 'add' }, [
        MESSAGE,
      ]).flatMap(writesOf),
  },
  {
    what: 'the drafts of a user, where all are given up',
    seen: (changes) => [giveUpWrite(draftKeys.draftAllowance(USER), allowance(changes))],
  },
  {
    what: 'a draft',
    seeds: [{ ...draftKeys.draft(OTHER_USER, 1), revision: 0 }],
    seen: (revision) => {
      const draft = { draftId: 1, userId: OTHER_USER, generation: 0, content: '', editedAtSeconds: 0 };
      const previous = { ...draft, target: { kind: 'nowhere' as const }, revision };
      return writesOf(draftEditChange(allowance(), previous, { ...previous, content: `${revision}` }));
    },
  },
  {
    what: 'a saved snippet',
    seeds: [{ ...draftKeys.savedSnippet(USER, 1), revision: 0 }],
    seen: (revision) => {
      const snippet = { snippetId: 1, userId: USER, title: 'a', content: '', createdAtSeconds: 0, revision };
      return writesOf(snippetEditChange(allowance(), snippet, { title: `b${revision}` }));
    },
  },
  {
    what: 'a scheduled message',
    seeds: [{ ...draftKeys.scheduledMessage(USER, 1), revision: 0 }],
    seen: (revision) => {
      const target = { kind: 'direct' as const, userIds: [USER] };
      const text = { content: '', html: '', client: '', deliverAtSeconds: 0, isReadBySender: true };
      const scheduled = { scheduledMessageId: 1, userId: USER, target, ...text, isFailed: false, revision };
      return writesOf(failureChange(scheduled, 'gone'));
    },
  },
];
