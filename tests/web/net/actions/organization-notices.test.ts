import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StillPage } from '../still-page.ts';
import {
  ada,
  bot,
  bots,
  exports,
  fields,
  folder,
  folders,
  group,
  groups,
  invitations,
  linkifier,
  many,
  openAsAdministrator,
  playground,
  roster,
  settings,
  store,
  writing,
} from './organization-scene.ts';

let page: StillPage;
beforeEach(() => {
  page = openAsAdministrator();
});
afterEach(() => page.close());

const notice = () => store.notices.value.at(-1);
const texts = () => store.notices.value.map(({ text }: { text: string }) => text);
const refuse = () => {
  page.answer = () => ({ status: 400, body: { msg: 'Not today' } });
};
const asked = () => page.calls.map(({ call, params }) => [call, params]);
/** Does the action of the newest notice; returns the requests to the service. */
async function undo() {
  page.calls.length = 0;
  expect(notice()?.action?.label).toBe('Undo');
  notice()?.action?.run();
  await page.pass(0);
  return asked();
}

describe('A bot that is created for another person', () => {
  test('Belongs to them', async () => {
    page.answer = () => ({ body: { user_id: 12 } });
    await bots.createBot({ ...bot, ownerId: 2 });
    expect(asked().slice(1)).toEqual([['PATCH /bots/12', { bot_owner_id: '2' }]]);
    expect(texts()).toEqual([]);
  });

  test('Belongs to its creator if that is refused, with a notice', async () => {
    page.answer = () =>
      page.calls.length > 1 ? { status: 400, body: { msg: 'No' } } : { body: { user_id: 12 } };
    expect(await bots.createBot({ ...bot, ownerId: 2 })).toBe(12);
    expect(texts()).toEqual(['You’re still the owner of Echo: couldn’t transfer it to Ada: No']);
  });
});

describe('A notice', () => {
  const replaced = (call: string, params: object = {}) => [[call, params]];

  test.each<[string, () => Promise<unknown>, string, unknown]>([
    [
      'a role',
      () => roster.setRole(ada, 200),
      'Ada: role changed to administrator',
      replaced('PATCH /users/2', { role: '400' }),
    ],
    [
      'an account',
      () => roster.deactivatePerson(ada, { deletes: [] }),
      'Ada deactivated',
      replaced('POST /users/2/reactivate'),
    ],
    ['a bot', () => roster.deactivateBot(ada), 'Ada deactivated', replaced('POST /users/2/reactivate')],
    [
      'a group',
      () => groups.deactivateGroup(group),
      'builders deactivated',
      replaced('PATCH /user_groups/6', { deactivated: 'false' }),
    ],
    [
      'a domain',
      () => settings.removeDomain('a.org', true),
      'a.org removed',
      replaced('POST /realm/domains', { domain: 'a.org', allow_subdomains: 'true' }),
    ],
    [
      'a linkifier',
      () => writing.removeLinkifier(linkifier),
      'Linkifier removed',
      replaced('POST /realm/filters', { pattern: linkifier.pattern, url_template: linkifier.url_template }),
    ],
    [
      'a playground',
      () => writing.removePlayground(playground),
      'Rust removed',
      replaced('POST /realm/playgrounds', {
        ...{ name: 'Rust', pygments_language: 'Rust', url_template: playground.url_template },
      }),
    ],
    [
      'a folder',
      () => folders.archiveFolder(folder),
      'Folder “Work” archived',
      replaced('PATCH /channel_folders/8', { is_archived: 'false' }),
    ],
    [
      'the roles of many',
      () => many.setRoleOfMany([2, 3], 200),
      '2 people: role changed to administrator',
      [
        ['PATCH /users/2', { role: '400' }],
        ['PATCH /users/3', { role: '300' }],
      ],
    ],
    [
      'the accounts of many',
      () => many.deactivateMany([2]),
      '1 person deactivated',
      replaced('POST /users/2/reactivate'),
    ],
  ])('Offers to restore %s, and reports if that is refused', async (_what, act, text, calls) => {
    await act();
    expect(texts()).toEqual([text]);
    expect(await undo()).toEqual(calls);
    store.notices.value = store.notices.value.slice(0, 1);
    refuse();
    await undo();
    expect(notice()?.text).toContain('Not today');
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['an emoji', () => writing.removeEmoji({ name: 'logo' }), ':logo: removed'],
    ['an archive', () => exports.deleteExport({ id: 3 }), 'Export deleted'],
  ])('Reports that %s is gone, and offers nothing', async (_what, act, text) => {
    await act();
    expect(store.notices.value).toEqual([{ id: expect.any(Number), text }]);
  });

  test('For a deactivated bot offers nothing to its owner, who may not reactivate it', async () => {
    store.state.value = { server: { ...store.server.value, is_admin: false } };
    await roster.deactivateBot(ada);
    expect(store.notices.value).toEqual([{ id: expect.any(Number), text: 'Ada deactivated' }]);
  });
});

test('A refusal appears in the words of the service, and offers nothing to undo', async () => {
  refuse();
  const refused: [() => Promise<unknown>, string][] = [
    [() => roster.reactivate(ada), 'Couldn’t reactivate Ada'],
    [() => roster.deactivateBot(ada), 'Couldn’t deactivate Ada'],
    [() => groups.removeMember(6, 2), 'Couldn’t change the group'],
    [() => groups.removeSubgroup(6, 7), 'Couldn’t change the group'],
    [() => groups.reactivateGroup(group), 'Couldn’t reactivate builders'],
    [() => groups.deactivateGroup(group), 'Couldn’t deactivate builders'],
    [() => settings.removeDomain('a.org', true), 'Couldn’t remove a.org'],
    [() => writing.orderLinkifiers([4]), 'Couldn’t change the order'],
    [() => writing.removeLinkifier(linkifier), 'Couldn’t remove the linkifier'],
    [() => writing.removePlayground(playground), 'Couldn’t remove the playground'],
    [() => writing.removeEmoji({ name: 'logo' }), 'Couldn’t remove :logo:'],
    [() => folders.orderFolders([8]), 'Couldn’t change the order'],
    [() => folders.restoreFolder(folder), 'Couldn’t restore “Work”'],
    [() => folders.archiveFolder(folder), 'Couldn’t archive “Work”'],
    [() => invitations.revoke({ id: 3, is_multiuse: true }), 'Couldn’t revoke the invitation'],
    [() => invitations.resend({ id: 3 }), 'Couldn’t resend the invitation'],
    [() => fields.orderFields([3]), 'Couldn’t change the order'],
    [() => fields.deleteField({ id: 3, name: 'Team' }), 'Couldn’t delete “Team”'],
    [() => exports.deleteExport({ id: 3 }), 'Couldn’t delete the export'],
  ];
  for (const [wish, words] of refused) {
    store.notices.value = [];
    expect(await wish()).not.toBe(true);
    expect(store.notices.value).toEqual([{ id: expect.any(Number), text: `${words}: Not today` }]);
  }
});

test('A refused dialog shows the words of the service, and no notice', async () => {
  refuse();
  const refused: (() => Promise<unknown>)[] = [
    () => roster.setRole(ada, 200),
    () => roster.deactivatePerson(ada, { deletes: [] }),
    () => bots.createBot(bot),
    () => bots.setBotPicture(2, new File(['x'], 'x.png')),
    () => writing.addEmoji('logo', new File(['x'], 'x.png')),
  ];
  for (const wish of refused) await expect(wish()).rejects.toThrow('Not today');
  expect(texts()).toEqual([]);
});

describe('An action on many people', () => {
  const refuseFor = (path: string) => {
    page.answer = () =>
      page.calls.at(-1)?.call.includes(path) ? { status: 400, body: { msg: 'No' } } : { body: {} };
  };

  test('Continues although the service refuses it for some, who are named', async () => {
    refuseFor('/users/2');
    await expect(many.setRoleOfMany([2, 3], 600)).rejects.toThrow(/^Ada: No$/);
    expect(texts()).toEqual(['1 person: role changed to guest']);
    expect(await undo()).toEqual([['PATCH /users/3', { role: '300' }]]);
    expect(texts().at(-1)).toBe('Role restored for 1 person');
    expect(notice()?.action).toBeUndefined();
  });

  test('Gives no notice if it succeeded for no one', async () => {
    refuse();
    await expect(many.deactivateMany([2, 3])).rejects.toThrow('Ada: Not today Bo: Not today');
    expect(texts()).toEqual([]);
  });

  test('Reverts for as many as possible, and the others are named', async () => {
    await many.deactivateMany([2, 3]);
    expect(asked().map(([call]) => call)).toEqual(['DELETE /users/2', 'DELETE /users/3']);
    refuseFor('/users/3');
    await undo();
    expect(texts().slice(1)).toEqual(['1 person reactivated', 'Couldn’t reactivate everyone: Bo: No']);
    await many.setRoleOfMany([2], 600);
    refuseFor('/users/2');
    await undo();
    expect(notice()?.text).toBe('Couldn’t restore everyone’s role: Ada: No');
  });
});

test('A role has the protocol’s name for its number, and defaults to member', () => {
  const names = [100, 200, 300, 400, 600, 500].map((role) => roster.roleName(role));
  expect(names).toEqual(['Owner', 'Administrator', 'Moderator', 'Member', 'Guest', 'Member']);
});
