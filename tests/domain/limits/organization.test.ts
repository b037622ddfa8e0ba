import { describe, test } from 'vitest';
import { addToDefaultGroup, createDefaultGroup } from '#shared/domain/channels/default-groups.ts';
import { newFolderChange } from '#shared/domain/channels/folder-changes.ts';
import { newEmojiChange } from '#shared/domain/emoji/changes.ts';
import { addDomain } from '#shared/domain/organization/domains.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { createPlayground } from '#shared/domain/playgrounds/playgrounds.ts';
import { createField } from '#shared/domain/profile/edit-fields.ts';
import { profileFieldTypes } from '#shared/domain/profile/field.ts';
import { usersNamedIn } from '#shared/domain/profile/given.ts';
import { type Edge, expectEdge, idsFrom } from './edge.ts';
import { field } from './things.ts';

const given = (shown: boolean) => ({
  ...field(0),
  name: 'new',
  fieldData: {},
  displayInProfileSummary: shown,
});
const group = (id: number, channelIds: number[] = []) => ({
  id,
  name: `group ${id}`,
  description: '',
  channelIds,
});
const channels = (ids: number[]) =>
  ids.map((channelId) => ({ channelId, name: `${channelId}`, isPrivate: false }) as never);
const emoji = { name: 'party', authorId: 10, isDeactivated: false } as never;
const write = { kind: 'check', key: { pk: '', sk: '' }, condition: {} } as const;
const folder = (folderId: number) => ({
  ...{ folderId, name: `folder ${folderId}`, description: '', descriptionHtml: '' },
  ...{ createdAtSeconds: 0, creatorId: 10, isArchived: false },
});

const edges: Edge[] = [
  {
    what: 'custom profile fields',
    most: 100,
    refusal: 'There may be at most 100 custom profile fields.',
    attempt: (count) =>
      createField(
        { fields: idsFrom(1, count - 1).map((id) => field(id)), lastId: 0, revision: 0 },
        1,
        given(false),
      ),
  },
  {
    what: 'custom profile fields in the summary',
    most: 2,
    refusal: 'Only 2 custom profile fields can be displayed in the profile summary.',
    attempt: (count) => {
      const fields = idsFrom(1, count - 1).map((id) => ({ ...field(id), displayInProfileSummary: true }));
      return createField({ fields: [...fields, field(90)], lastId: 0, revision: 0 }, 1, given(true));
    },
  },
  {
    what: 'users in a custom profile field',
    most: 500,
    refusal: 'field 1 is too long (limit: 500 users)',
    attempt: (count) =>
      usersNamedIn({ fields: [field(1, profileFieldTypes.users)], lastId: 1, revision: 1 }, [
        { id: 1, value: idsFrom(1, count) },
      ]),
  },
  {
    what: 'default channel groups',
    most: 50,
    refusal: 'There may be at most 50 default channel groups.',
    attempt: (count) => {
      const groups = idsFrom(1, count - 1).map((id) => group(id));
      const named = { name: 'new', description: '', channels: [], defaultChannelIds: [] };
      return createDefaultGroup({ groups, lastId: 0, revision: 0 }, named);
    },
  },
  {
    what: 'channels of a new default channel group',
    most: 500,
    refusal: 'A default channel group has at most 500 channels.',
    attempt: (count) => {
      const named = {
        name: 'new',
        description: '',
        channels: channels(idsFrom(1, count)),
        defaultChannelIds: [],
      };
      return createDefaultGroup({ groups: [], lastId: 0, revision: 0 }, named);
    },
  },
  {
    what: 'channels of a default channel group',
    most: 500,
    refusal: 'A default channel group has at most 500 channels.',
    attempt: (count) => {
      const added = { channels: channels([9_000]), defaultChannelIds: [] };
      return addToDefaultGroup(
        { groups: [group(1, idsFrom(1, count - 1))], lastId: 1, revision: 1 },
        1,
        added,
      );
    },
  },
  {
    what: 'channel folders',
    most: 1_000,
    refusal: 'Too many channel folders (maximum 1000).',
    attempt: (count) => {
      const { description, descriptionHtml } = folder(5_000);
      const named = {
        ...{ folderId: 5_000, name: 'new', description, descriptionHtml },
        creatorId: 10,
        nowSeconds: 0,
      };
      return newFolderChange({ folders: idsFrom(1, count - 1).map(folder), revision: 0 }, named);
    },
  },
  {
    what: 'code playgrounds',
    most: 100,
    refusal: 'There may be at most 100 code playgrounds.',
    attempt: (count) => {
      const playground = { language: 'Rust', urlTemplate: 'https://example.com/{code}' };
      const playgrounds = idsFrom(1, count - 1).map((id) => ({ id, name: `${id}`, ...playground }));
      return createPlayground({ playgrounds, lastId: 0, revision: 0 }, { name: 'new', ...playground });
    },
  },
  {
    what: 'e-mail domains of an organization',
    most: 100,
    refusal: 'Too many domains (maximum 100).',
    attempt: (count) => {
      const domains = Object.fromEntries(idsFrom(1, count - 1).map((id) => [`d${id}.example`, false]));
      const organization = { domains, settings: {} } as unknown as Organization;
      return addDomain(organization, { domain: 'new.example', allowsSubdomains: false });
    },
  },
  {
    what: 'custom emoji, deactivated ones included',
    most: 10_000,
    refusal: 'Too many custom emoji (maximum 10000).',
    attempt: (emojiId) => newEmojiChange({ ...(emoji as object), emojiId } as never, write),
  },
];

describe('The limit of the organization is the largest allowed number', () => {
  test.each(edges)('For $what: $most succeed, and one more is refused', expectEdge);
});
