import { beforeEach, describe, expect, test } from 'vitest';
import type { ProfileField } from '#shared/domain/profile/field.ts';
import { roles } from '#shared/domain/users/user.ts';
import { getProfileFields } from '#shared/store/users/profile-fields.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { askForField, CHOICES, createField, fieldOf, listFields } from './fields.ts';

const service = await startTestService();
const owner = service.owner;
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();
beforeEach(async () => {
  for (const { id } of await listFields(owner)) await owner.delete(`/realm/profile_fields/${id}`);
});

const create = (params: object) =>
  owner.post('/realm/profile_fields', { name: 'Field', field_type: 1, ...params });

describe('Creating a profile field', () => {
  test('Adds it at the end of the list, with the next id and its parameters', async () => {
    const first = await createField(owner, { name: 'Phone' });
    const chosen = { display_in_profile_summary: true, required: true, editable_by_user: false };
    const editor = { hint: 'Of text', field_type: 3, field_data: CHOICES };
    const second = await createField(owner, { name: ' Editor ', ...editor, ...chosen });
    expect(second).toBe(first + 1);
    const plain = { display_in_profile_summary: false, required: false, editable_by_user: true };
    const both = { use_for_user_matching: false };
    const field_data = JSON.stringify(CHOICES);
    expect(await listFields(guest)).toEqual([
      { ...both, id: first, type: 1, order: 1, name: 'Phone', hint: '', field_data: '', ...plain },
      { ...both, id: second, type: 3, order: 2, name: 'Editor', hint: 'Of text', field_data, ...chosen },
    ]);
  });

  test('Accepts any of eight types', async () => {
    const types = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const field_type of types) {
      const field_data = { 3: CHOICES, 7: { subtype: 'github' } }[field_type];
      await createField(owner, { field_type, ...(field_data && { field_data }) });
    }
    expect((await listFields(guest)).map(({ type }) => type)).toEqual(types);
  });

  test('Sends every user the whole list, as in register', async () => {
    const queues = await listenAll([member, guest]);
    await createField(owner);
    await createField(owner);
    const list = await listFields(owner);
    for (const queue of queues)
      expect(await queue.drain()).toMatchObject([{ type: 'custom_profile_fields' }, { fields: list }]);
    const { snapshot } = await guest.register({ fetch_event_types: ['custom_profile_fields'] });
    expect(snapshot.custom_profile_fields).toEqual(list);
    expect(snapshot.custom_profile_field_types).toEqual({
      SHORT_TEXT: { id: 1, name: 'Text (short)' },
      LONG_TEXT: { id: 2, name: 'Text (long)' },
      SELECT: { id: 3, name: 'List of options' },
      DATE: { id: 4, name: 'Date' },
      URL: { id: 5, name: 'Link' },
      USER: { id: 6, name: 'Users' },
      EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
      PRONOUNS: { id: 8, name: 'Pronouns' },
    });
  });
});

describe('An external account field', () => {
  test.each([
    ['twitter', 'Twitter username'],
    ['github', 'GitHub username'],
  ])('For %s has label and hint of the service', async (subtype, name) => {
    const id = await createField(owner, { name: '', hint: 'mine', field_type: 7, field_data: { subtype } });
    const field_data = JSON.stringify({ subtype });
    expect(await fieldOf(guest, id)).toMatchObject({ name, hint: '', field_data });
  });

  test('For another service has a pattern of its own', async () => {
    const field_data = { subtype: 'custom', url_pattern: 'https://chat.example/%(username)s/home' };
    await createField(owner, { name: 'Chat', hint: 'mine', field_type: 7, field_data });
    expect(await listFields(guest)).toMatchObject([
      { name: 'Chat', hint: 'mine', field_data: JSON.stringify(field_data) },
    ]);
  });
});

describe('Creating a profile field is refused without any effect for', () => {
  const username = '%(username)s';
  const TAKEN = 'A field with that label already exists.';
  const NOT_IN_SUMMARY = 'Field type not supported for display in profile summary.';
  const [a, b] = [
    { text: 'A', order: '1' },
    { text: 'A', order: '2' },
  ];
  const custom = (url_pattern: string) => ({ field_type: 7, field_data: { subtype: 'custom', url_pattern } });
  const wrong: [object, string][] = [
    [{ name: '' }, 'Label cannot be blank.'],
    [{ name: ' \t ' }, 'Label cannot be blank.'],
    [{ name: '𝒳'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
    [{ field_type: 0 }, 'Invalid field type.'],
    [{ field_type: 9 }, 'Invalid field type.'],
    [{ field_type: 2, display_in_profile_summary: true }, NOT_IN_SUMMARY],
    [{ field_type: 6, display_in_profile_summary: true }, NOT_IN_SUMMARY],
    [{ field_type: 4, use_for_user_matching: true }, 'Field type not supported for user matching.'],
    [{ field_type: 3 }, 'Field must have at least one choice.'],
    [{ field_type: 3, field_data: { ' ': { text: 'A', order: '1' } } }, "'value' cannot be blank."],
    [{ field_type: 3, field_data: { a: 'A' } }, 'field_data is not a dict'],
    [{ field_type: 3, field_data: { a: { text: 'A' } } }, 'order key is missing from field_data'],
    [{ field_type: 3, field_data: { a: { order: '1' } } }, 'text key is missing from field_data'],
    [{ field_type: 3, field_data: { a: { text: '', order: '1' } } }, 'field_data["text"] cannot be blank.'],
    [{ field_type: 3, field_data: { a: { text: 'A', order: 1 } } }, 'field_data["order"] is not a string'],
    [
      { field_type: 3, field_data: { a: { ...a, color: 'red' } } },
      'Argument "color" at field_data is unexpected',
    ],
    [{ field_type: 3, field_data: { a, b } }, 'Field must not have duplicate choices.'],
    [{ field_type: 7 }, 'subtype key is missing from field_data'],
    [{ field_type: 7, field_data: { subtype: 7 } }, 'field_data["subtype"] is not a string'],
    [{ field_type: 7, field_data: { subtype: 'myspace' } }, 'Invalid external account type'],
    [{ field_type: 7, field_data: { subtype: '__proto__' } }, 'Invalid external account type'],
    [{ field_type: 7, field_data: { subtype: 'custom' } }, 'Custom external account must define URL pattern'],
    [custom('https://x.example/'), `URL pattern must contain '${username}'.`],
    [custom(`https://x.example/${username}/${username}`), `URL pattern must contain '${username}'.`],
    [custom(`javascript:${username}`), 'url_pattern is not a URL'],
    [{ field_type: 7, field_data: { subtype: 'github', x: 1 } }, 'Argument "x" at field_data is unexpected'],
    [
      { field_type: 3, field_data: { a: { text: 'x'.repeat(110_000), order: '1' } } },
      'The custom profile fields are too long',
    ],
  ];

  test('Invalid parameters', async () => {
    const queue = await guest.listen();
    for (const [params, msg] of wrong) {
      const reply = await create(params);
      expect(reply.status, JSON.stringify(params).slice(0, 200)).toBe(400);
      expectRefusal(reply, msg);
    }
    expect(await listFields(owner)).toEqual([]);
    expect(await queue.drain()).toEqual([]);
  });

  test('A label that another field has, in any spelling', async () => {
    await createField(owner, { name: 'Phone' });
    for (const name of ['Phone', 'PHONE', ' phone ', 'ｐhone']) {
      const reply = await create({ name });
      expect(reply.status, name).toBe(400);
      expectRefusal(reply, TAKEN);
    }
  });

  test('A service that another field has', async () => {
    const github = { field_type: 7, field_data: { subtype: 'github' } };
    await createField(owner, github);
    expectRefusal(await askForField(owner, github), TAKEN);
  });

  test('A third field in the summary', async () => {
    for (const n of [1, 2]) await createField(owner, { name: `${n}`, display_in_profile_summary: true });
    const reply = await create({ display_in_profile_summary: true });
    expectRefusal(reply, 'Only 2 custom profile fields can be displayed in the profile summary.');
  });

  test('More than a hundred fields', async () => {
    await createField(owner);
    const { table } = service.services;
    const [first] = (await getProfileFields(table)).fields as [ProfileField];
    const fields = Array.from({ length: 99 }, (_, n) => ({ ...first, id: first.id + n, name: `Many ${n}` }));
    const set = { fields, lastId: first.id + 98 };
    await table.write({ kind: 'update', key: organizationKeys.profileFields(), set });
    await createField(owner);
    expect(await listFields(owner)).toHaveLength(100);
    expectRefusal(await create({}), 'There may be at most 100 custom profile fields.');
  });
});
