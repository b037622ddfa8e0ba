import { afterEach, beforeEach, expect, test } from 'vitest';
import { VIEWER } from '../../scene.ts';
import type { StillPage } from '../still-page.ts';
import { expectAsked } from './asked.ts';
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
  openAsAdministrator,
  playground,
  roster,
  settings,
  writing,
} from './organization-scene.ts';

let page: StillPage;
beforeEach(() => {
  page = openAsAdministrator();
});
afterEach(() => page.close());

const terms = { role: 400, minutes: null, channelIds: [9] };
const invited = {
  ...{ invite_as: 400, invite_expires_in_minutes: null, stream_ids: [9] },
  include_realm_default_subscriptions: true,
};

test('Actions on people, bots and groups call the service', () =>
  expectAsked(page, [
    [() => roster.setRole(ada, 200), 'PATCH /users/2', { role: 200 }],
    [() => roster.reactivate(ada), 'POST /users/2/reactivate'],
    [
      () =>
        roster.deactivatePerson(ada, { comment: 'Goodbye', deletes: ['delete_profile', 'delete_messages'] }),
      'DELETE /users/2',
      {
        actions: { delete_profile: true, delete_messages: true },
        deactivation_notification_comment: 'Goodbye',
      },
    ],
    [() => roster.deactivatePerson(ada, { deletes: [] }), 'DELETE /users/2', { actions: {} }],
    [() => roster.deactivateBot(ada), 'DELETE /bots/2'],
    [() => roster.editPerson(2, { full_name: 'Ada B.' }), 'PATCH /users/2', { full_name: 'Ada B.' }],
    [() => bots.createBot(bot), 'POST /bots', { full_name: 'Echo', short_name: 'echo', bot_type: 1 }, 'once'],
    [() => bots.editBot(2, { full_name: 'Echo 2' }), 'PATCH /bots/2', { full_name: 'Echo 2' }],
    [() => bots.readBotKey(2), 'GET /bots/2/api_key'],
    [() => bots.renewBotKey(2), 'POST /bots/2/api_key/regenerate'],
    [() => bots.setBotPicture(2, new File(['x'], 'x.png')), 'PATCH /bots/2'],
    [
      () => groups.createGroup('builders', 'They build', [2]),
      'POST /user_groups/create',
      { name: 'builders', description: 'They build', members: [VIEWER, 2] },
      'once',
    ],
    [() => groups.editGroup(6, { name: 'x' }), 'PATCH /user_groups/6', { name: 'x' }],
    [() => groups.addMembers(6, [2, 3]), 'POST /user_groups/6/members', { add: [2, 3] }],
    [() => groups.removeMember(6, 2), 'POST /user_groups/6/members', { delete: [2] }],
    [() => groups.addSubgroups(6, [7]), 'POST /user_groups/6/subgroups', { add: [7] }],
    [() => groups.removeSubgroup(6, 7), 'POST /user_groups/6/subgroups', { delete: [7] }],
    [() => groups.reactivateGroup(group), 'PATCH /user_groups/6', { deactivated: false }],
    [() => groups.deactivateGroup(group), 'POST /user_groups/6/deactivate'],
  ]));

test('Settings of the organization call the service', () =>
  expectAsked(page, [
    [() => settings.editOrganization({ name: 'x' }), 'PATCH /realm', { name: 'x' }],
    [() => settings.setDefaultChannel(9, true), 'POST /default_streams', { stream_id: 9 }],
    [() => settings.setDefaultChannel(9, false), 'DELETE /default_streams', { stream_id: 9 }],
    [
      () => settings.editDefaults({ color_scheme: 2 }),
      'PATCH /realm/user_settings_defaults',
      { color_scheme: 2 },
    ],
    [
      () => settings.addDomain('a.org', true),
      'POST /realm/domains',
      { domain: 'a.org', allow_subdomains: true },
    ],
    [() => settings.editDomain('a/b', false), 'PATCH /realm/domains/a%2Fb', { allow_subdomains: false }],
    [() => settings.removeDomain('a/b', false), 'DELETE /realm/domains/a%2Fb'],
    [
      () => settings.tryWelcome('Hello'),
      'POST /realm/test_welcome_bot_custom_message',
      { welcome_message_custom_text: 'Hello' },
    ],
    [() => settings.closeOrganization(), 'POST /realm/deactivate'],
    [
      () => writing.addLinkifier('T', 'https://example.com/'),
      'POST /realm/filters',
      { pattern: 'T', url_template: 'https://example.com/' },
    ],
    [
      () => writing.editLinkifier(4, 'T', 'https://example.com/'),
      'PATCH /realm/filters/4',
      { pattern: 'T', url_template: 'https://example.com/' },
    ],
    [() => writing.orderLinkifiers([5, 4]), 'PATCH /realm/linkifiers', { ordered_linkifier_ids: [5, 4] }],
    [() => writing.removeLinkifier(linkifier), 'DELETE /realm/filters/4'],
    [
      () => writing.addPlayground(playground),
      'POST /realm/playgrounds',
      { name: 'Rust', pygments_language: 'Rust', url_template: 'https://example.com/{code}' },
    ],
    [() => writing.removePlayground(playground), 'DELETE /realm/playgrounds/5'],
    [() => writing.addEmoji('a/b', new File(['x'], 'x.png')), 'POST /realm/emoji/a%2Fb'],
    [() => writing.removeEmoji({ name: 'a/b' }), 'DELETE /realm/emoji/a%2Fb'],
    [
      () => folders.addFolder('Work', 'We work'),
      'POST /channel_folders/create',
      { name: 'Work', description: 'We work' },
      'once',
    ],
    [() => folders.editFolder(8, { name: 'x' }), 'PATCH /channel_folders/8', { name: 'x' }],
    [() => folders.orderFolders([8, 7]), 'PATCH /channel_folders', { order: [8, 7] }],
    [() => folders.restoreFolder(folder), 'PATCH /channel_folders/8', { is_archived: false }],
    [() => folders.archiveFolder(folder), 'PATCH /channel_folders/8', { is_archived: true }],
    [
      () => invitations.inviteByMail('a@example.com', terms),
      'POST /invites',
      { ...invited, invitee_emails: 'a@example.com' },
      'once',
    ],
    [() => invitations.createLink(terms), 'POST /invites/multiuse', invited, 'once'],
    [() => invitations.revoke({ id: 3, is_multiuse: true }), 'DELETE /invites/multiuse/3'],
    [() => invitations.revoke({ id: 3, is_multiuse: false }), 'DELETE /invites/3'],
    [() => invitations.resend({ id: 3 }), 'POST /invites/3/resend'],
    [() => fields.addField({ name: 'Team' }), 'POST /realm/profile_fields', { name: 'Team' }, 'once'],
    [() => fields.editField(3, { hint: 'x' }), 'PATCH /realm/profile_fields/3', { hint: 'x' }],
    [() => fields.orderFields([3, 2]), 'PATCH /realm/profile_fields', { order: [3, 2] }],
    [() => fields.deleteField({ id: 3, name: 'Team' }), 'DELETE /realm/profile_fields/3'],
    [
      () => fields.saveOwnValue(3, 'Blue'),
      'PATCH /users/me/profile_data',
      { data: [{ id: 3, value: 'Blue' }] },
    ],
    [() => fields.saveValueOf(2, 3, [1]), 'PATCH /users/2', { profile_data: [{ id: 3, value: [1] }] }],
    [() => exports.startExport('public'), 'POST /export/realm', { export_type: 'public' }, 'once'],
    [() => exports.deleteExport({ id: 3 }), 'DELETE /export/realm/3'],
  ]));

test('Created things are known by the service’s answer', async () => {
  page.answer = () => ({ body: { user_id: 12, group_id: 13, api_key: 'key', invite_link: 'https://link' } });
  expect(await bots.createBot(bot)).toBe(12);
  expect(await groups.createGroup('x', '', [])).toBe(13);
  expect([await bots.readBotKey(2), await bots.renewBotKey(2)]).toEqual(['key', 'key']);
  expect(await invitations.createLink(terms)).toBe('https://link');
});
