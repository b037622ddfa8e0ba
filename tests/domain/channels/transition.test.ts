import { describe, expect, test } from 'vitest';
import { type Channel, defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import { type Transition, transitionChange } from '#shared/domain/channels/transition.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Write } from '#shared/table/table.ts';
import { channelOf } from '#tests/harness/samples.ts';

const CHANNEL = 5;
const FOLDER = 3;

const base = channelOf(CHANNEL, {
  ...{ name: 'general', subscriberCount: 2, creatorId: 7, groups: defaultChannelGroups(7) },
  ...{ revision: 4, memberRevision: 6 },
});
const archived = { ...base, isArchived: true };
const privately = { ...base, isPrivate: true, isHistoryPublic: false };

const change = (previous: Channel, next: Partial<Channel>, given: Partial<Transition> = {}) =>
  transitionChange({
    ...{ actorId: 7, previous, next: { ...previous, ...next }, subscriberIds: [7, 8], isNoted: true },
    ...{ defaults: { channelIds: [1], revision: 2 }, isDefault: undefined },
    ...{ visibilityRevision: { people: 3, channels: 9 }, ...given },
  });

const names = new Map(
  [
    ['channel', channelKeys.channel(CHANNEL)],
    ['organization', organizationKeys.organization()],
    ['who knows', organizationKeys.counter('who-knows')],
    ['folder', channelKeys.folder(FOLDER)],
    ['old name', channelKeys.name('general')],
    ['new name', channelKeys.name('random')],
  ].map(([name, key]) => [JSON.stringify(key), name as string]),
);
const nameOf = (write: Write): string => {
  const { pk, sk } = write.kind === 'put' ? write.item : write.key;
  return `${write.kind} ${names.get(JSON.stringify({ pk, sk }))}`;
};
const writesOf = (...given: Parameters<typeof change>): Write[] =>
  (change(...given)?.writes ?? []) as Write[];
const written = (...given: Parameters<typeof change>): string[] => writesOf(...given).map(nameOf);
/** The counts of the channel that must not have moved. */
const seen = (...given: Parameters<typeof change>) =>
  Object.keys(writesOf(...given)[0]?.condition?.belowOrAbsent ?? {});

const ONLY_SETTINGS = ['update channel', 'check organization'];
const WITH_KNOWLEDGE = [...ONLY_SETTINGS, 'update who knows'];

describe('A change of a channel', () => {
  test.each<[string, string[], Parameters<typeof change>]>([
    ['that changes nothing', [], [base, {}]],
    ['of its description', ONLY_SETTINGS, [base, { description: 'x' }]],
    ['of its folder', [...ONLY_SETTINGS, 'update folder'], [base, { folderId: FOLDER }]],
    ['that takes it out of its folder', ONLY_SETTINGS, [{ ...base, folderId: FOLDER }, { folderId: null }]],
    ['in a folder that it stays in', ONLY_SETTINGS, [{ ...base, folderId: FOLDER }, { description: 'x' }]],
    ['of letters of its name', ONLY_SETTINGS, [base, { name: 'General' }]],
    [
      'of its name',
      ['update channel', 'delete old name', 'put new name', 'check organization'],
      [base, { name: 'random' }],
    ],
    ['of who may post', ONLY_SETTINGS, [base, { groups: { ...base.groups, can_send_message_group: 11 } }]],
    ['of who knows of it', WITH_KNOWLEDGE, [base, { groups: { ...base.groups, can_subscribe_group: 11 } }]],
    ['that makes it private', WITH_KNOWLEDGE, [base, { isPrivate: true, isHistoryPublic: false }]],
    ['that archives it', WITH_KNOWLEDGE, [base, { isArchived: true }]],
    ['that brings it back', WITH_KNOWLEDGE, [archived, { isArchived: false }]],
    [
      'that makes it a default channel',
      ['check channel', 'update organization', 'update who knows'],
      [base, {}, { isDefault: true }],
    ],
    [
      'that makes it a default channel with another description',
      ['update channel', 'update organization', 'update who knows'],
      [base, { description: 'x' }, { isDefault: true }],
    ],
    ['that makes it a default channel, which it is', [], [base, {}, defaultOne(true)]],
    [
      'that archives a default channel',
      ['update channel', 'update organization', 'update who knows'],
      [base, { isArchived: true }, defaultOne()],
    ],
    [
      'that brings a default channel back',
      ['update channel', 'update organization', 'update who knows'],
      [{ ...archived, wasDefault: true }, { isArchived: false }],
    ],
    [
      'that brings a default channel back as a private one',
      WITH_KNOWLEDGE,
      [
        { ...archived, wasDefault: true },
        { isArchived: false, isPrivate: true, isHistoryPublic: false },
      ],
    ],
  ])('Writes the derived items and checks its dependencies: one %s', (_what, expected, given) => {
    expect(written(...given).toSorted()).toEqual(expected.toSorted());
  });

  test('Depends on the subscribers if it notifies users', () => {
    expect(seen(base, { description: 'x' })).toEqual(['revision']);
    expect(seen(privately, { isHistoryPublic: true })).toEqual(['revision']);
    expect(seen(base, { isArchived: true })).toEqual(['revision']);
    expect(seen(archived, { description: 'x' })).toEqual(['revision']);
    expect(seen(archived, { isArchived: false })).toEqual(['revision', 'memberRevision']);
    expect(seen(privately, { isPrivate: false, isHistoryPublic: true })).toEqual([
      'revision',
      'memberRevision',
    ]);
  });

  test('Remembers that an archived channel was a default one, until it is unarchived', () => {
    const set = (...given: Parameters<typeof change>) => {
      const [first] = writesOf(...given);
      return first?.kind === 'update' ? first.set : undefined;
    };
    expect(set(base, { isArchived: true }, defaultOne())).toEqual({
      ...{ isArchived: true, wasDefault: true, revision: 5 },
    });
    expect(set(base, { isArchived: true })).toEqual({ isArchived: true, revision: 5 });
    expect(set({ ...archived, wasDefault: true }, { isArchived: false })).toEqual({
      ...{ isArchived: false, wasDefault: false, revision: 5 },
    });
    expect(set(archived, { isArchived: false })).toEqual({ isArchived: false, revision: 5 });
  });

  test('Gets a note of the bot if the organization wants it and there is something to report', () => {
    expect(change(base, { description: 'x' })?.jobs).toMatchObject([
      { type: 'note-channel-changes', payload: { actorId: 7, channelId: CHANNEL }, steps: [0] },
    ]);
    expect(change(base, { description: 'x', name: 'random' })?.jobs).toMatchObject([{ steps: [0, 1] }]);
    expect(change(base, { description: 'x' }, { isNoted: false })?.jobs).toEqual([]);
    expect(change(base, { folderId: FOLDER })?.jobs).toEqual([]);
  });
});

/** The channel is a default one. */
function defaultOne(isDefault?: boolean): Partial<Transition> {
  return { defaults: { channelIds: [1, CHANNEL], revision: 2 }, isDefault };
}
