import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Params } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import {
  CHOICES,
  createField,
  expectForbidden,
  type FieldRecord,
  fieldOf,
  listFields,
  profileOf,
  say,
} from './fields.ts';

const service = await startTestService();
const owner = service.owner;
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
beforeEach(async () => {
  for (const { id } of await listFields(owner)) await owner.delete(`/realm/profile_fields/${id}`);
  await service.settle();
});

const edit = (id: number, params: Params, by = owner) => by.patch(`/realm/profile_fields/${id}`, params);

describe('Editing a profile field', () => {
  test('Changes the given properties, and nothing else', async () => {
    const several: Params[] = [
      { hint: 'New' },
      { hint: '' },
      { display_in_profile_summary: true },
      { required: true },
      { editable_by_user: false },
      { use_for_user_matching: true },
      { name: 'A', hint: 'B', required: true },
    ];
    const edits: [Params, object][] = [
      [{ name: ' New ' }, { name: 'New' }],
      ...several.map((params): [Params, object] => [params, params]),
    ];
    for (const _ of edits) await createField(owner, { hint: 'Old' });
    const list = await listFields(owner);
    const everyone = [owner, member, guest];
    const queues = await listenAll(everyone);
    const lists: FieldRecord[][] = [];
    await expectConsistentSnapshot(service, everyone, async () => {
      for (const [index, [params, changed]] of edits.entries()) {
        const field = list[index] as FieldRecord;
        list[index] = { ...field, ...changed };
        lists.push([...list]);
        expect((await edit(field.id, params)).status, JSON.stringify(params)).toBe(200);
      }
    });
    expect(await listFields(guest)).toEqual(list);
    for (const queue of queues) expect((await queue.drain()).map(({ fields }) => fields)).toEqual(lists);
  });

  test('Sends one event to every user, and none if nothing changes', async () => {
    const id = await createField(owner, { name: 'Old' });
    const queue = await guest.listen();
    await edit(id, { name: 'New' });
    await edit(id, { name: 'New', required: false });
    await edit(id, {});
    const fields = await listFields(owner);
    expect(await queue.drain()).toMatchObject([{ type: 'custom_profile_fields', fields }]);
  });

  test('Applies to values that are set later', async () => {
    const id = await createField(owner, { field_type: 3, field_data: CHOICES });
    const { name } = await fieldOf(owner, id);
    await edit(id, { field_data: { ...CHOICES, emacs: { text: 'Emacs', order: '3' } } });
    expect((await say(member, id, 'emacs')).status).toBe(200);
    await edit(id, { editable_by_user: false, field_data: CHOICES });
    expectForbidden(await say(member, id, 'vim'));
    expectRefusal(await say(owner, id, 'emacs'), `'emacs' is not a valid choice for '${name}'.`);
  });

  test('Moves it in and out of a full summary', async () => {
    const ids = [];
    for (const n of [1, 2, 3]) ids.push(await createField(owner, { display_in_profile_summary: n < 3 }));
    const [first, second, third] = ids as [number, number, number];
    const full = 'Only 2 custom profile fields can be displayed in the profile summary.';
    expectRefusal(await edit(third, { display_in_profile_summary: true }), full);
    expect((await edit(second, { display_in_profile_summary: true, hint: 'again' })).status).toBe(200);
    await edit(first, { display_in_profile_summary: false });
    expect((await edit(third, { display_in_profile_summary: true })).status).toBe(200);
  });
});

describe('Removing a choice', () => {
  test('Removes it from all profiles, and notifies every user', async () => {
    const id = await createField(owner, { field_type: 3, field_data: CHOICES });
    await say(member, id, 'ed');
    await say(owner, id, 'ed');
    await say(guest, id, 'vim');
    await expectConsistentSnapshot(service, [owner, member, guest], () =>
      edit(id, { field_data: { vim: CHOICES.vim } }),
    );
    expect(await profileOf(guest, member.userId)).not.toHaveProperty(String(id));
    expect(await profileOf(guest, owner.userId)).not.toHaveProperty(String(id));
    expect((await profileOf(guest, guest.userId))[id]).toEqual({ value: 'vim' });
  });

  test('Keeps it in profiles if it returns before the job runs, while others are removed', async () => {
    const id = await createField(owner, { field_type: 3, field_data: CHOICES });
    await say(member, id, 'ed');
    await say(guest, id, 'vim');
    const release = holdJobs(service);
    const emacs = { emacs: { text: 'Emacs', order: '1' } };
    await edit(id, { field_data: emacs });
    await edit(id, { field_data: { ...emacs, ed: CHOICES.ed } });
    await release();
    expect((await profileOf(owner, member.userId))[id]).toEqual({ value: 'ed' });
    expect(await profileOf(owner, guest.userId)).not.toHaveProperty(String(id));
  });

  test('Does not happen if only its text or order changes', async () => {
    const id = await createField(owner, { field_type: 3, field_data: CHOICES });
    await say(member, id, 'vim');
    const queue = await guest.listen();
    await edit(id, { field_data: { ed: CHOICES.ed, vim: { text: 'Vi improved', order: '0' } } });
    await service.settle();
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['custom_profile_fields']);
    expect((await profileOf(guest, member.userId))[id]).toEqual({ value: 'vim' });
  });
});

describe('An external account of a known service', () => {
  test('Keeps label, hint and service; other properties may change', async () => {
    const id = await createField(owner, { field_type: 7, field_data: { subtype: 'github' } });
    const msg = 'Default custom field cannot be updated.';
    expectRefusal(await edit(id, { name: 'Mine' }), msg);
    expectRefusal(await edit(id, { hint: 'Mine' }), msg);
    expectRefusal(await edit(id, { field_data: { subtype: 'twitter' } }), msg);
    const same = { name: 'GitHub username', hint: '', field_data: { subtype: 'github' } };
    expect((await edit(id, { ...same, required: true })).status).toBe(200);
    expect(await fieldOf(owner, id)).toMatchObject({ name: 'GitHub username', required: true });
  });
});

describe('Editing a profile field is refused without any effect for', () => {
  test('Parameters that are invalid or conflict with others', async () => {
    const wrong: [Params, string][] = [
      [{ name: ' ' }, 'Label cannot be blank.'],
      [{ name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
      [{ hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
      [{ name: 'TAKEN' }, 'A field with that label already exists.'],
      [{ field_data: {} }, 'Field must have at least one choice.'],
      [{ use_for_user_matching: true }, 'Field type not supported for user matching.'],
    ];
    await createField(owner, { name: 'Taken' });
    const id = await createField(owner, { field_type: 3, field_data: CHOICES });
    const before = await listFields(owner);
    for (const [params, msg] of wrong) expectRefusal(await edit(id, { required: true, ...params }), msg);
    expect(await listFields(owner)).toEqual(before);
  });

  test('A field that does not exist', async () => {
    expectRefusal(await edit(99_999, { name: 'x' }), 'Field id 99999 not found.');
  });
});
