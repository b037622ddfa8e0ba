import type { Channel } from '#shared/domain/channels/channel.ts';
import { createDefaultGroup } from '#shared/domain/channels/default-groups.ts';
import { defaultChannelsChange } from '#shared/domain/channels/defaults.ts';
import { folderEditChange, folderOrderChange } from '#shared/domain/channels/folder-changes.ts';
import { transitionChange } from '#shared/domain/channels/transition.ts';
import { peopleTurnWrite } from '#shared/domain/channels/visibility-revision.ts';
import { requestChange } from '#shared/domain/exports/changes.ts';
import { createLinkifier } from '#shared/domain/linkifiers/edit.ts';
import { loadEngine } from '#shared/domain/linkifiers/load-engine.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { organizationChange } from '#shared/domain/organization/organization-change.ts';
import { userDefaultsChange } from '#shared/domain/organization/user-defaults.ts';
import { createPlayground } from '#shared/domain/playgrounds/playgrounds.ts';
import { createField } from '#shared/domain/profile/edit-fields.ts';
import { countWrite } from '#shared/domain/subscriptions/subscribe.ts';
import { takingWrites } from '#shared/domain/uploads/space.ts';
import { type Group, groupGroupSettings } from '#shared/domain/user-groups/group.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { graphChangeWrite, groupWrite } from '#shared/domain/user-groups/writes.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Write } from '#shared/table/table.ts';
import { field, linkifier } from '#tests/domain/limits/things.ts';
import { CHANNEL, channel, type Kind, USER, writesOf } from './state-kind.ts';

const GROUP = 1_000;

/** A count that is absent before the first. */
const counted = <Name extends string>(name: Name, count: number) =>
  (count === 0 ? {} : { [name]: count }) as Partial<Record<Name, number>>;
const transition = (previous: Channel, next: Partial<Channel>) =>
  transitionChange({
    ...{ actorId: USER, previous, next: { ...previous, ...next }, subscriberIds: [], isNoted: false },
    ...{ defaults: { channelIds: [], revision: 0 }, isDefault: undefined },
    ...{ visibilityRevision: { people: 0, channels: 0 } },
  });
const folder = (folderId: number, assignments = 0) => ({
  ...{ folderId, name: `folder ${folderId}`, description: '', descriptionHtml: '' },
  ...{ createdAtSeconds: 0, creatorId: USER, isArchived: false, ...counted('assignments', assignments) },
});

const engine = await loadEngine();
const organization = (revision: number) =>
  ({ name: 'x', description: '', settings: {}, groups: {}, revision }) as unknown as Organization;
const group = (revision: number): Group => ({
  ...{ groupId: GROUP, name: 'x', description: '', creatorId: USER, createdAtSeconds: 0, revision },
  ...{ isDeactivated: false, subgroupIds: [] },
  groups: Object.fromEntries(groupGroupSettings.map((name) => [name, systemGroups.nobody])) as never,
});

/** As if nothing else of a channel had changed. */
let settingsSeen = 0;

/** The writes of a change that another one goes with, which is counted at a key. */
const counting = (writes: Write[], { pk, sk }: Key, attribute: string): Write[] =>
  writes.map((write) =>
    write.kind === 'update' && write.key.pk === pk && write.key.sk === sk
      ? { ...write, add: { [attribute]: 1 } }
      : write,
  );

/** Items that exist for all. */
export const commonKinds: Kind[] = [
  {
    what: 'the default channel groups',
    seen: (revision) =>
      writesOf(
        createDefaultGroup(
          { groups: [], lastId: 0, revision },
          { name: 'a', description: '', channels: [], defaultChannelIds: [] },
        ),
      ),
  },
  {
    what: 'the order of channel folders',
    seen: (revision) => writesOf(folderOrderChange({ folders: [folder(1), folder(2)], revision }, [2, 1])),
  },
  {
    what: 'the code playgrounds',
    seen: (revision) =>
      writesOf(
        createPlayground(
          { playgrounds: [], lastId: 0, revision },
          { name: 'a', language: 'Rust', urlTemplate: 'https://example.com/{code}' },
        ).change,
      ),
  },
  {
    what: 'the linkifiers',
    seen: (revision) =>
      writesOf(createLinkifier({ linkifiers: [], lastId: 0, revision }, linkifier, engine).change),
  },
  {
    what: 'the custom profile fields',
    seen: (revision) =>
      writesOf(createField({ fields: [], lastId: 0, revision }, 1, { ...field(1), fieldData: {} }).change),
  },
  {
    what: 'the organization',
    seeds: [{ ...organizationKeys.organization() }],
    seen: (revision) => writesOf(organizationChange(organization(revision), [])),
  },
  {
    what: 'the settings of new users',
    seen: (revision) => writesOf(userDefaultsChange(organization(revision), { enter_sends: true })),
  },
  {
    what: 'the default channels',
    seen: (revision) => defaultChannelsChange({ channelIds: [], revision }, { added: [CHANNEL] }).writes,
  },
  {
    what: 'the exports',
    seen: (revision) =>
      writesOf(
        requestChange(
          { exports: [], lastId: 0, revision },
          { actorId: USER, type: 'public', requestedAtMs: 0, addressKey: '' },
          () => null,
        ),
      ),
  },
  {
    what: 'the total size of all files',
    seen: (revision) =>
      takingWrites(
        {
          all: { bytes: 0, revision },
          own: { ownerId: USER, bytes: 0, dayFromSeconds: 0, dayBytes: 0, revision },
        },
        ...([10, 0] as const),
      ),
  },
  {
    what: 'a user group',
    seeds: [{ ...groupKeys.group(GROUP), revision: 0 }],
    seen: (revision) => [groupWrite(group(revision), { name: 'y' })],
  },
  { what: 'which user group names which', seen: (count) => [graphChangeWrite(count)] },
  {
    what: 'the roles and groups of people',
    seen: (people) => [peopleTurnWrite({ people, channels: 0 })],
  },
  {
    what: 'the settings of a channel',
    seeds: [{ ...channelKeys.channel(CHANNEL) }],
    seen: (count) => writesOf(transition(channel(counted('revision', count)), { description: `${count}` })),
  },
  {
    what: 'the subscribers of a channel',
    seeds: [{ ...channelKeys.channel(CHANNEL) }],
    seen: (count) => [countWrite(channel(counted('memberRevision', count)), 1)],
  },
  {
    what: 'the settings of a channel to which a subscriber comes',
    seeds: [{ ...channelKeys.channel(CHANNEL) }],
    seen: (count) => {
      const write = countWrite(channel(counted('revision', count)), 1);
      return counting([write], channelKeys.channel(CHANNEL), 'revision');
    },
  },
  {
    what: 'the subscribers of a channel, who are notified as it becomes private',
    seeds: [{ ...channelKeys.channel(CHANNEL) }],
    seen: (count) => {
      settingsSeen++;
      const previous = channel({ ...counted('memberRevision', count), revision: settingsSeen });
      const writes = writesOf(transition(previous, { isPrivate: true }));
      return counting(writes, channelKeys.channel(CHANNEL), 'memberRevision');
    },
  },
  {
    what: 'the channels of a folder',
    seeds: [{ ...channelKeys.folder(3), isArchived: false }],
    seen: (count) => {
      const all = { folders: [folder(1), folder(2)], revision: count };
      const edit = folderEditChange(all, folder(3, count), { name: `${count}` }, false);
      return counting(writesOf(edit), channelKeys.folder(3), 'assignments');
    },
  },
];
