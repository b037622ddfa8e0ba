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
import { edge, expectEdge, idsFrom } from './edge.ts';
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

const edges = [
  edge('custom profile fields', 100, 'There may be at most 100 custom profile fields.', (count) =>
    createField(
      { fields: idsFrom(1, count - 1).map((id) => field(id)), lastId: 0, revision: 0 },
      1,
      given(false),
    ),
  ),
  edge(
    'custom profile fields in the summary',
    2,
    'Only 2 custom profile fields can be displayed in the profile summary.',
    (count) => {
      const fields = idsFrom(1, count - 1).map((id) => ({ ...field(id), displayInProfileSummary: true }));
      return createField({ fields: [...fields, field(90)], lastId: 0, revision: 0 }, 1, given(true));
    },
  ),
  edge('users in a custom profile field', 500, 'field 1 is too long (limit: 500 users)', (count) =>
    usersNamedIn({ fields: [field(1, profileFieldTypes.users)], lastId: 1, revision: 1 }, [
      { id: 1, value: idsFrom(1, count) },
    ]),
  ),
  edge('default channel groups', 50, 'There may be at most 50 default channel groups.', (count) => {
    const groups = idsFrom(1, count - 1).map((id) => group(id));
    const named = { name: 'new', description: '', channels: [], defaultChannelIds: [] };
    return createDefaultGroup({ groups, lastId: 0, revision: 0 }, named);
  }),
  edge(
    'channels of a new default channel group',
    500,
    'A default channel group has at most 500 channels.',
    (count) => {
      const named = {
        name: 'new',
        description: '',
        channels: channels(idsFrom(1, count)),
        defaultChannelIds: [],
      };
      return createDefaultGroup({ groups: [], lastId: 0, revision: 0 }, named);
    },
  ),
  edge(
    'channels of a default channel group',
    500,
    'A default channel group has at most 500 channels.',
    (count) => {
      const added = { channels: channels([9_000]), defaultChannelIds: [] };
      return addToDefaultGroup(
        { groups: [group(1, idsFrom(1, count - 1))], lastId: 1, revision: 1 },
        1,
        added,
      );
    },
  ),
  edge('channel folders', 1_000, 'Too many channel folders (maximum 1000).', (count) => {
    const { description, descriptionHtml } = folder(5_000);
    const named = {
      ...{ folderId: 5_000, name: 'new', description, descriptionHtml },
      creatorId: 10,
      nowSeconds: 0,
    };
    return newFolderChange({ folders: idsFrom(1, count - 1).map(folder), revision: 0 }, named);
  }),
  edge('code playgrounds', 100, 'There may be at most 100 code playgrounds.', (count) => {
    const playground = { language: 'Rust', urlTemplate: 'https://example.com/{code}' };
    const playgrounds = idsFrom(1, count - 1).map((id) => ({ id, name: `${id}`, ...playground }));
    return createPlayground({ playgrounds, lastId: 0, revision: 0 }, { name: 'new', ...playground });
  }),
  edge('e-mail domains of an organization', 100, 'Too many domains (maximum 100).', (count) => {
    const domains = Object.fromEntries(idsFrom(1, count - 1).map((id) => [`d${id}.example`, false]));
    const organization = { domains, settings: {} } as unknown as Organization;
    return addDomain(organization, { domain: 'new.example', allowsSubdomains: false });
  }),
  edge(
    'custom emoji, deactivated ones included',
    10_000,
    'Too many custom emoji (maximum 10000).',
    (emojiId) => newEmojiChange({ ...(emoji as object), emojiId } as never, write),
  ),
];

describe('The limit of the organization is the largest allowed number', () => {
  test.each(edges)('For $what: $most succeed, and one more is refused', expectEdge);
});
