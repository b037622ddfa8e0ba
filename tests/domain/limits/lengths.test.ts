import { describe, expect, test } from 'vitest';
import { addAlertWords } from '#shared/domain/alert-words/alert-words.ts';
import { allows, countWrite, kilobytesOf } from '#shared/domain/allowance.ts';
import { createDefaultGroup } from '#shared/domain/channels/default-groups.ts';
import { checkEmojiName } from '#shared/domain/emoji/changes.ts';
import { createLinkifier } from '#shared/domain/linkifiers/edit.ts';
import { loadEngine } from '#shared/domain/linkifiers/load-engine.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import { createField } from '#shared/domain/profile/edit-fields.ts';
import { profileFieldTypes } from '#shared/domain/profile/field.ts';
import { checkLink } from '#shared/domain/profile/link.ts';
import { checkValue } from '#shared/domain/profile/value.ts';
import { readRegistration } from '#shared/domain/push/registration.ts';
import { checkToken } from '#shared/domain/push/token.ts';
import { requireRoom, type UploadSpaces } from '#shared/domain/uploads/space.ts';
import { variablesOf } from '#shared/domain/url-template.ts';
import { checkGroupName } from '#shared/domain/user-groups/names.ts';
import { storageWith } from '#shared/domain/users/bot-storage.ts';
import { checkEmail, checkFullName } from '#shared/domain/users/create.ts';
import { edge, expectEdge, outcomeOf, wide } from './edge.ts';
import { account, field, linkifier, pushKeyOf, registration } from './things.ts';

const engine = await loadEngine();
const newField = (given: { name?: string; hint?: string }) =>
  createField({ fields: [], lastId: 0, revision: 0 }, 1, {
    ...field(1),
    fieldData: {},
    ...given,
    name: given.name ?? 'new',
  });
const newLinkifier = (given: Partial<typeof linkifier> | Record<string, unknown>) =>
  createLinkifier({ linkifiers: [], lastId: 0, revision: 0 }, { ...linkifier, ...given }, engine);
const MEBIBYTE = 1024 * 1024;
const DAY_SECONDS = 24 * 3600;
const spaces = (own: Partial<UploadSpaces['own']> = {}, allBytes = 0): UploadSpaces => ({
  all: { bytes: allBytes, revision: 1 },
  own: { ownerId: 10, bytes: 0, revision: 1, dayFromSeconds: 0, dayBytes: 0, ...own },
});
const quotas = { organization: 4, account: 3, accountPerDay: 2 };

const edges = [
  edge(
    'characters of all alert words of a user',
    20_000,
    'Your alert words are too long together (limit: 20000 characters)',
    (count) => addAlertWords(account, { words: [], past: [], revision: 0 }, ['ab', wide(count - 2)]),
  ),
  edge(
    'characters that a bot stores, keys included',
    100_000,
    'Request exceeds storage limit by 1 characters. The limit is 100000 characters.',
    (count) => storageWith(new Map([['a', 'x'.repeat(9)]]), [['bcd', 'y'.repeat(count - 13)]]),
  ),
  edge(
    'characters of the name of a custom emoji',
    100,
    'emoji_name is too long (limit: 100 characters)',
    (count) => checkEmojiName('a'.repeat(count)),
  ),
  edge(
    'characters of the name of a user group',
    100,
    'User group name cannot exceed 100 characters.',
    (count) => checkGroupName(wide(count)),
  ),
  edge(
    'characters of the name of a default channel group',
    60,
    'Default channel group name too long (limit: 60 characters)',
    (count) => {
      const named = { name: wide(count), description: '', channels: [], defaultChannelIds: [] };
      return createDefaultGroup({ groups: [], lastId: 0, revision: 0 }, named);
    },
  ),
  edge(
    'characters of the name of a custom profile field',
    40,
    'name is too long (limit: 40 characters)',
    (count) => newField({ name: wide(count) }),
  ),
  edge(
    'characters of the hint of a custom profile field',
    80,
    'hint is too long (limit: 80 characters)',
    (count) => newField({ hint: wide(count) }),
  ),
  ...[profileFieldTypes.shortText, profileFieldTypes.externalAccount, profileFieldTypes.pronouns].map(
    (type) =>
      edge(
        `characters of a value of a profile field of type ${type}`,
        50,
        'field 1 is too long (limit: 50 characters)',
        (count) => checkValue(field(1, type), wide(count), []),
      ),
  ),
  edge(
    'characters of a long text in a profile',
    500,
    'field 1 is too long (limit: 500 characters)',
    (count) => checkValue(field(1, profileFieldTypes.longText), wide(count), []),
  ),
  edge('characters of a link in a profile', 2_000, 'home is not a URL', (count) =>
    checkLink('home', `https://example.com/${'a'.repeat(count - 20)}`),
  ),
  edge(
    'characters of a pattern of a linkifier',
    1_000,
    'pattern is too long (limit: 1000 characters)',
    (count) => newLinkifier({ pattern: `(?P<id>[0-9${'5'.repeat(count - 13)}])` }),
  ),
  edge(
    'characters of an example of a linkifier',
    1_000,
    'example_input is too long (limit: 1000 characters)',
    (count) => newLinkifier({ exampleInput: `#1 ${wide(count - 3)}` }),
  ),
  edge(
    'characters of a reverse template of a linkifier',
    1_000,
    'reverse_template is too long (limit: 1000 characters)',
    (count) => newLinkifier({ exampleInput: '#1', reverseTemplate: `{id}${wide(count - 4)}` }),
  ),
  edge('characters of a URL template', 1_000, 'URL template is too long (limit: 1000 characters)', (count) =>
    variablesOf(`https://example.com/${wide(count - 20)}`),
  ),
  edge(
    'characters of an operand of a narrow',
    1_000,
    'narrow[0]["operand"] is too long (limit: 1000 characters)',
    (count) => parseNarrow([{ operator: 'topic', operand: wide(count) }]),
  ),
  edge('characters of the name of a person', 100, 'Name too long!', (count) => checkFullName(wide(count))),
  edge('characters of an e-mail address', 254, 'Enter a valid email address.', (count) =>
    checkEmail(`${'a'.repeat(count - 12)}@example.com`),
  ),
  edge('characters of a token of Google', 4_096, 'Empty or invalid length token', (count) =>
    checkToken('fcm', wide(count)),
  ),
  edge(
    'the number of a push key',
    4_294_967_295,
    'Invalid push_key_id: Value error, Not a valid unsigned 32-bit integer',
    (id) => readRegistration({ push_key_id: id, push_key: pushKeyOf(33, 0x31) }),
  ),
  ...(['bouncer_public_key', 'encrypted_push_registration'] as const).map((name) =>
    edge(`characters of ${name}`, 8_192, 'The registration is too long', (count) =>
      readRegistration({ ...registration, [name]: 'x'.repeat(count) }),
    ),
  ),
  edge(
    'bytes of the files of an organization',
    4 * MEBIBYTE,
    "Upload would exceed your organization's upload quota.",
    (bytes) => requireRoom(spaces({}, bytes - 10), 10, quotas, 0),
  ),
  edge('bytes of the files of an account', 3 * MEBIBYTE, 'Upload would exceed your upload quota.', (bytes) =>
    requireRoom(spaces({ bytes: bytes - 10 }), 10, quotas, 0),
  ),
  edge(
    'bytes that an account uploads within a day',
    2 * MEBIBYTE,
    'Upload would exceed what you may upload in a day.',
    (bytes) => requireRoom(spaces({ dayBytes: bytes - MEBIBYTE }), MEBIBYTE, quotas, DAY_SECONDS - 1),
  ),
];

describe('The limit is the greatest allowed length', () => {
  test.each(edges)('For $what: $most succeed, and one more is refused', expectEdge);
});

describe('The daily quota of uploads', () => {
  test('Starts again when the day is over', () => {
    const full = spaces({ dayBytes: 2 * MEBIBYTE, dayFromSeconds: 100 });
    expect(outcomeOf(() => requireRoom(full, 1, quotas, 100 + DAY_SECONDS - 1))).not.toBe('taken');
    expect(outcomeOf(() => requireRoom(full, 1, quotas, 100 + DAY_SECONDS))).toBe('taken');
  });

  test('Counts at least 32 KiB for each file', () => {
    const nearly = (left: number) => spaces({ dayBytes: 2 * MEBIBYTE - left });
    expect(outcomeOf(() => requireRoom(nearly(32 * 1024), 1, quotas, 0))).toBe('taken');
    expect(outcomeOf(() => requireRoom(nearly(32 * 1024 - 1), 1, quotas, 0))).not.toBe('taken');
  });
});

describe('A quota in kilobytes', () => {
  const allowance = (kilobytes: number) => ({ kilobytes, generation: 3, changes: 0 });

  test('Holds exactly a thousand, and always allows shrinking', () => {
    expect(allows(allowance(990), 10)).toBe(true);
    expect(allows(allowance(990), 11)).toBe(false);
    expect(allows(allowance(5_000), 0)).toBe(true);
    expect(allows(allowance(5_000), -1)).toBe(true);
    expect(allows(allowance(5_000), 1)).toBe(false);
  });

  test('Counts a record in whole kilobytes', () => {
    const record = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    expect([1_000, 1_001, 2_000, 2_001].map((bytes) => kilobytesOf(record(bytes)))).toEqual([1, 2, 2, 3]);
  });

  test('Changes only on condition that it holds and nothing was deleted meanwhile', () => {
    const key = { pk: 'QUOTA', sk: 'QUOTA' };
    expect(countWrite(key, allowance(5), 10)).toMatchObject({
      add: { kilobytes: 10, changes: 1 },
      condition: { belowOrAbsent: { generation: 4, kilobytes: 991 } },
    });
    for (const more of [0, -3])
      expect(countWrite(key, allowance(5), more)).toMatchObject({
        add: { kilobytes: more, changes: 1 },
        condition: { belowOrAbsent: { generation: 4 } },
      });
    expect(countWrite(key, allowance(5), 0)).not.toHaveProperty('condition.belowOrAbsent.kilobytes');
  });
});
