import { expect, test } from 'vitest';
import { makePicture } from '#tests/harness/pictures.ts';
import { startTestService } from '#tests/harness/service.ts';
import { openPage } from './page.ts';

const service = await startTestService();
const owner = service.owner;
const page = await openPage(service, owner);
const { exports, folders, invitations, profileFields, settings, writing } = page.net;

const server = () => page.net.store.server.value;
const named = (list: string, name: string) =>
  server()[list].find((item: { name: string }) => item.name === name);

test('Settings of the organization and of new people change, and a channel becomes readable for them', async () => {
  await settings.editOrganization({ description: 'We draw' });
  await page.sees(() => server().realm_description === 'We draw');
  await settings.editDefaults({ twenty_four_hour_time: true });
  await page.sees(() => server().realm_user_settings_defaults.twenty_four_hour_time === true);
  const channelId = await owner.subscribe('welcome');
  await settings.setDefaultChannel(channelId, true);
  await page.sees(() => server().realm_default_streams.includes(channelId));
  await settings.setDefaultChannel(channelId, false);
  await page.sees(() => !server().realm_default_streams.includes(channelId));
  await settings.tryWelcome('Good morning');
  await service.settle();
  const { body } = await owner.get('/messages', { anchor: 'newest', num_before: 2, num_after: 0 });
  expect(JSON.stringify(body.messages)).toContain('Good morning');
});

test('A domain is allowed, changed, removed and restored', async () => {
  const domains = () => server().realm_domains;
  await settings.addDomain('example.org', false);
  await page.sees(() => domains().length === 1);
  await settings.editDomain('example.org', true);
  await page.sees(() => domains()[0].allow_subdomains);
  await settings.removeDomain('example.org', true);
  expect(page.notice()?.text).toBe('example.org removed');
  await page.sees(() => domains().length === 0);
  page.undo();
  await page.sees(() => domains().length === 1);
  expect(domains()).toEqual([{ domain: 'example.org', allow_subdomains: true }]);
  await settings.removeDomain('example.net', false);
  expect(page.notice()?.text).toMatch(/^Couldn’t remove example.net: /);
  expect(page.notice()?.action).toBeUndefined();
});

test('Folders of channels are created, edited, ordered, archived and restored', async () => {
  const folder = (name: string) => named('channel_folders', name);
  await folders.addFolder('Work', 'What we do');
  await folders.addFolder('Play', '');
  await page.sees(() => folder('Play'));
  expect(folder('Work')).toMatchObject({ description: 'What we do', is_archived: false });
  await folders.editFolder(folder('Work').id, { description: 'What we did' });
  await page.sees(() => folder('Work').description === 'What we did');
  expect(await folders.orderFolders([folder('Play').id, folder('Work').id])).toBe(true);
  await page.sees(() => folder('Play').order < folder('Work').order);
  expect(await folders.orderFolders([folder('Play').id])).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t change the order: /);
  await folders.archiveFolder(folder('Play'));
  expect(page.notice()?.text).toBe('Folder “Play” archived');
  await page.sees(() => folder('Play').is_archived);
  page.undo();
  await page.sees(() => !folder('Play').is_archived);
  page.refuseNext('Not today');
  await folders.archiveFolder(folder('Play'));
  expect(page.notice()?.text).toBe('Couldn’t archive “Play”: Not today');
  page.refuseNext('Not today');
  expect(await folders.restoreFolder(folder('Play'))).toBe(false);
  expect(page.notice()?.text).toBe('Couldn’t restore “Play”: Not today');
});

test('Linkifiers and playgrounds are added, edited, ordered, removed and added again', async () => {
  const linkifiers = () => server().realm_linkifiers;
  const patterns = () => linkifiers().map(({ pattern }: { pattern: string }) => pattern);
  await writing.addLinkifier('#(?P<id>[0-9]+)', 'https://example.com/{id}');
  await writing.addLinkifier('T(?P<id>[0-9]+)', 'https://example.com/t/{id}');
  await page.sees(() => linkifiers().length === 2);
  const [first, other] = linkifiers();
  await writing.editLinkifier(other.id, 'T(?P<id>[0-9]+)', 'https://example.com/tickets/{id}');
  await page.sees(() => linkifiers()[1].url_template === 'https://example.com/tickets/{id}');
  expect(await writing.orderLinkifiers([other.id, first.id])).toBe(true);
  await page.sees(() => linkifiers()[0].id === other.id);
  await writing.removeLinkifier(linkifiers()[0]);
  expect(page.notice()?.text).toBe('Linkifier removed');
  await page.sees(() => linkifiers().length === 1);
  page.undo();
  await page.sees(() => linkifiers().length === 2);
  expect(patterns()).toEqual(['#(?P<id>[0-9]+)', 'T(?P<id>[0-9]+)']);
  await writing.removeLinkifier({ ...first, id: 1_000_000 });
  expect(page.notice()?.text).toMatch(/^Couldn’t remove the linkifier: /);

  const playgrounds = () => server().realm_playgrounds;
  const rust = { name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example.com/{code}' };
  await writing.addPlayground(rust);
  await page.sees(() => playgrounds().length === 1);
  await writing.removePlayground(playgrounds()[0]);
  expect(page.notice()?.text).toBe('Rust removed');
  await page.sees(() => playgrounds().length === 0);
  page.undo();
  await page.sees(() => playgrounds().length === 1);
  expect(playgrounds()[0]).toMatchObject(rust);
  await writing.removePlayground({ ...rust, id: 1_000_000 });
  expect(page.notice()?.text).toMatch(/^Couldn’t remove the playground: /);
});

test('A custom emoji is added from a picture, and removed', async () => {
  const emoji = () => Object.values<{ name: string; deactivated: boolean }>(server().realm_emoji);
  const picture = Buffer.from(await makePicture());
  await writing.addEmoji('our_logo', new File([picture], 'logo.png', { type: 'image/png' }));
  await page.sees(() => emoji().some(({ name, deactivated }) => name === 'our_logo' && !deactivated));
  await writing.removeEmoji({ name: 'our_logo' });
  expect(page.notice()?.text).toBe(':our_logo: removed');
  await page.sees(() => emoji().some(({ name, deactivated }) => name === 'our_logo' && deactivated));
  await writing.removeEmoji({ name: 'no_logo' });
  expect(page.notice()?.text).toMatch(/^Couldn’t remove :no_logo:: /);
  await expect(writing.addEmoji('text', new File(['text'], 'text.txt'))).rejects.toThrow(/./);
});

test('Fields of profiles are added, edited, ordered, filled and deleted', async () => {
  const fields = () => server().custom_profile_fields;
  const field = (name: string) => named('custom_profile_fields', name);
  const before = fields().length;
  await profileFields.addField({ name: 'Team', field_type: 1 });
  await profileFields.addField({ name: 'Desk', field_type: 1 });
  await page.sees(() => fields().length === before + 2);
  await profileFields.editField(field('Team').id, { hint: 'Where you work' });
  await page.sees(() => field('Team').hint === 'Where you work');
  const ids = fields().map(({ id }: { id: number }) => id);
  expect(await profileFields.orderFields([...ids].reverse())).toBe(true);
  await page.sees(() => fields()[0].name === 'Desk');
  const valueIn = (id: number) => page.net.store.people.value.get(owner.userId).profile_data[id]?.value;
  const { id } = field('Team');
  await profileFields.saveOwnValue(id, 'Drawing');
  await page.sees(() => valueIn(id) === 'Drawing');
  await profileFields.saveValueOf(owner.userId, id, 'Painting');
  await page.sees(() => valueIn(id) === 'Painting');
  expect(await profileFields.deleteField(field('Desk'))).toBe(true);
  await page.sees(() => field('Desk') === undefined);
  expect(await profileFields.deleteField({ id: 1_000_000, name: 'Desk' })).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t delete “Desk”: /);
});

test('People are invited by mail and by a link, which are sent again and revoked', async () => {
  const channelId = await owner.subscribe('lobby');
  const terms = { role: 600, minutes: 60, channelIds: [channelId] };
  await invitations.inviteByMail('eve@example.com', terms);
  const link: string = await invitations.createLink({ ...terms, minutes: null });
  const list = async () => (await owner.get('/invites')).body.invites;
  const find = async (isLink: boolean) =>
    (await list()).find((invitation: { is_multiuse: boolean }) => invitation.is_multiuse === isLink);
  const sent = await find(false);
  expect(sent).toMatchObject({ email: 'eve@example.com', invited_as: 600 });
  // The end is counted from the beginning of the request.
  expect([3599, 3600]).toContain(sent.expiry_date - sent.invited);
  const made = await find(true);
  expect(made).toMatchObject({ link_url: link, expiry_date: null });
  expect(page.calls.at(-1)?.params).toMatchObject({
    stream_ids: `[${channelId}]`,
    include_realm_default_subscriptions: 'true',
  });
  expect(await invitations.resend(sent)).toBe(true);
  expect(await invitations.revoke(sent)).toBe(true);
  expect(await invitations.revoke(made)).toBe(true);
  expect(await list()).toEqual([]);
  expect(await invitations.revoke(made)).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t revoke the invitation: /);
  expect(await invitations.resend(sent)).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t resend the invitation: /);
});

test('An export is started, and its archive is deleted', async () => {
  await exports.startExport('public');
  await service.settle();
  const list = async () => (await owner.get('/export/realm')).body.exports;
  const [made] = await list();
  expect(made).toMatchObject({ pending: false, acting_user_id: owner.userId });
  await exports.deleteExport(made);
  expect(page.notice()?.text).toBe('Export deleted');
  expect((await list())[0].deleted_timestamp).not.toBeNull();
  await exports.deleteExport(made);
  expect(page.notice()?.text).toMatch(/^Couldn’t delete the export: /);
});

test('A deactivated organization no longer answers', async () => {
  await settings.closeOrganization();
  expect((await owner.get('/users/me')).body.code).toBe('REALM_DEACTIVATED');
  await page.sees(() => page.net.api.session.value === 'out');
});
