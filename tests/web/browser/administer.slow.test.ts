import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { mailsTo } from '#tests/harness/mails.ts';
import { makePicture } from '#tests/harness/pictures.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { PASSWORD } from '#tests/harness/service.ts';
import { eventually, Visitor } from './browser.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
const { browser } = stage;
let owner: Visitor;
let second: Visitor;
beforeAll(async () => {
  if (!browser) return;
  [owner, second] = await Promise.all([Visitor.open(browser), Visitor.open(browser)]);
  await owner.enter(stage.service, stage.service.owner.email);
});

const open = (visitor: Visitor, hash: string) => visitor.goTo(stage.service, hash);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** One story: each test continues from the end of the one before. */
describe.runIf(browser)('An organization is arranged in a browser', () => {
  test('Its owner creates a channel and a group', async () => {
    const { page } = owner;
    await open(owner, '#channels/new');
    await page.getByLabel('Name').fill('harbour');
    await press(page, 'Create channel');
    await page.getByRole('navigation', { name: 'Navigation' }).getByText('harbour').waitFor();
    await open(owner, '#groups/new');
    await page.getByLabel('Name').fill('pilots');
    await press(page, 'Create group');
    await heading(page, 'pilots');
  });

  test('Its owner adds an emoji', async () => {
    const { page } = owner;
    await open(owner, '#organization/emoji-settings');
    await page.getByLabel('Name').fill('anchor_drop');
    const buffer = Buffer.from(await makePicture());
    await page.getByLabel('Picture').setInputFiles({ name: 'anchor.png', mimeType: 'image/png', buffer });
    await press(page, 'Add');
    await page.getByText(':anchor_drop:', { exact: true }).waitFor();
  });

  test('Its owner chooses a logo, previews it, uses it and removes it', async () => {
    const { page } = owner;
    await open(owner, '#organization/organization-profile');
    const logo = page.getByRole('group', { name: 'Logo for light theme' });
    const buffer = Buffer.from(await makePicture({ width: 200, height: 50 }));
    const file = { name: 'logo.png', mimeType: 'image/png', buffer };
    await logo.getByLabel('Choose: Logo for light theme').setInputFiles(file);
    await logo.getByRole('img', { name: 'Selected' }).waitFor();
    await owner.expectAccessible();
    await logo.getByRole('button', { name: 'Cancel' }).click();
    await logo.getByText('No logo').waitFor();
    await logo.getByLabel('Choose: Logo for light theme').setInputFiles(file);
    await logo.getByRole('button', { name: 'Save picture' }).click();
    // The logo is above the navigation of every page.
    const shown = page.getByRole('navigation', { name: 'Navigation' }).locator('img.org-logo.on-light');
    await shown.waitFor();
    const width = () => shown.evaluate((element) => (element as HTMLImageElement).naturalWidth);
    await eventually(width).toBeGreaterThan(0);
    await logo.getByRole('button', { name: 'Remove logo for light theme' }).click();
    await shown.waitFor({ state: 'detached' });
  });

  test('A bot shows its key only on request, and another one after a renewal', async () => {
    const { page } = owner;
    await open(owner, '#organization/bots');
    await press(page, 'New bot');
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('Tide table');
    await form.getByLabel('Username').fill('tides');
    await press(page, 'Create bot');
    await heading(page, 'Tide table');
    const key = page.getByLabel('API key of Tide table');
    expect(await key.count()).toBe(0);
    await press(page, 'Show key');
    const before = await key.inputValue();
    await press(page, 'Generate new key');
    await page.getByRole('dialog').getByRole('button', { name: 'Generate new key' }).click();
    await eventually(() => key.inputValue()).not.toBe(before);
    await page.getByLabel('Name').fill('Tides');
    await page.getByLabel('Name').blur();
    await heading(page, 'Tides');
  });

  test('An integration is added, tested, and shows its deliveries', async () => {
    const { page } = owner;
    await open(owner, '#organization/integrations');
    await page.getByLabel('Search integrations').fill('github');
    await press(page, 'Add GitHub');
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Signals');
    await form.getByLabel('Channel').selectOption('harbour');
    await press(page, 'Generate URL');
    await heading(page, 'Signals');
    await owner.expectAccessible();
    await press(page, 'Show URL');
    const address = await page.getByLabel('Webhook URL').inputValue();
    expect(address).toMatch(/\/api\/v1\/external\/github\?api_key=\w{32}&stream=\d+$/);
    await press(page, 'Send test');
    await page.getByText('1 message sent').waitFor();
    const body = JSON.stringify({ sender: { login: 'ada' }, repository: { name: 'engine' } });
    await fetch(address, { method: 'POST', headers: { 'x-github-event': 'ping' }, body });
    await press(page, 'Refresh');
    await page.getByText('github, ping').waitFor();
  });

  test('A custom webhook shows a sample rendered by its templates', async () => {
    const { page } = owner;
    await open(owner, '#organization/integrations');
    await press(page, 'Add Custom webhook');
    await press(page, 'Generate URL');
    await heading(page, 'Custom webhook bot');
    await page.getByLabel('Template of the text').fill('Look: {{text | upper}}');
    await page.getByLabel('Template of the text').blur();
    await page.getByText('Look: THE BOILER IS AT 101 DEGREES.').waitFor();
  });

  test('Profile fields are ordered by the keyboard', async () => {
    const { page } = owner;
    await open(owner, '#organization/profile-field-settings');
    const form = page.getByRole('dialog');
    const add = async (kind: string, label: string, fillIn: () => Promise<void>): Promise<void> => {
      await press(page, 'New field');
      await form.getByLabel('Type').selectOption({ label: kind });
      await form.getByLabel('Name').fill(label);
      await fillIn();
      await form.getByLabel('Show on profile cards').check();
      await press(page, 'Add field');
      await page.getByRole('listitem').filter({ hasText: label }).waitFor();
    };
    await add('Short text', 'Ship', () => form.getByLabel('Match when mentioning people').check());
    await add('Dropdown', 'Watch', () => form.getByLabel('Choice', { exact: true }).fill('Starboard'));
    await page.getByRole('button', { name: 'Move Watch up' }).focus();
    await page.keyboard.press('Enter');
    const names = async (): Promise<string[]> => {
      const { body } = await stage.service.owner.get('/realm/profile_fields');
      return body.custom_fields.map(({ name }: { name: string }) => name);
    };
    await eventually(names).toEqual(['Watch', 'Ship']);
    await page.getByText('Watch moved to position 1 of 2').waitFor({ state: 'attached' });
  });

  test('A block of code leads to the playground of its language', async () => {
    const { page } = owner;
    await open(owner, '#organization/playground-settings');
    await page.getByLabel('Name').fill('Sandbox');
    await page.getByLabel('Language').fill('Python');
    await page.getByLabel('URL template').fill('https://example.com/run{?code}');
    await press(page, 'Add');
    await page.getByText('Python · https://example.com/run{?code}').waitFor();
    const id = await stage.service.owner.send('harbour', 'code', '```python\nx = 1\n```');
    await open(owner, `#narrow/channel/harbour/near/${id}`);
    const link = page.getByRole('link', { name: 'View in Sandbox' });
    expect(await link.getAttribute('href')).toBe('https://example.com/run?code=x%20%3D%201%0A');
    const bench = 'https://example.com/bench{?code}';
    const added = { name: 'Bench', pygments_language: 'Python', url_template: bench };
    await stage.service.owner.post('/realm/playgrounds', added);
    await page.getByRole('link', { name: 'View in Bench' }).waitFor();
  });

  test('An export becomes ready without reloading the page, and disappears when it is deleted', async () => {
    const { page } = owner;
    await open(owner, '#organization/data-exports-admin');
    await page.getByText('0 of 1 person allows').waitFor();
    await press(page, 'Start export');
    const link = page.getByRole('link', { name: /^Download the export/ });
    const address = (await link.getAttribute('href')) ?? '';
    expect((await fetch(address)).status).toBe(200);
    await page.getByRole('button', { name: /^Delete the export/ }).click();
    await press(page, 'Delete export');
    await link.waitFor({ state: 'detached' });
    await eventually(async () => (await fetch(address)).status).toBe(404);
  });

  test('A second person joins by a link, fills in the fields, and is found by them', async () => {
    await open(owner, '#invite');
    await press(owner.page, 'Create link');
    const link = await owner.page.getByLabel('Invitation link').inputValue();
    const { page } = second;
    await page.goto(link);
    await page.getByLabel('Email').fill('bo@example.com');
    await press(page, 'Continue');
    await page.getByText('Check your email').waitFor();
    const mails = () => mailsTo(stage.service, 'bo@example.com');
    await eventually(() => mails().length).toBeGreaterThan(0);
    await page.goto(/http:\/\/\S+/.exec(mails().at(-1)?.content ?? '')?.[0] ?? '');
    await page.getByLabel('Full name').fill('Bo');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Create account');
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
    await open(second, '#settings/profile');
    await page.getByLabel('Watch').selectOption({ label: 'Starboard' });
    await page.getByText('Saved').waitFor();
    await page.getByLabel('Ship').fill('Endeavour');
    await page.getByLabel('Ship').blur();
    const { body } = await stage.service.owner.get('/get_stream_id', { stream: 'harbour' });
    await open(owner, `#narrow/channel/${body.stream_id}-harbour/topic/crew`);
    const countOffers = async (): Promise<number> => {
      await owner.composer.fill('');
      await owner.composer.pressSequentially('@endea');
      return owner.page.getByRole('option', { name: 'Bo' }).count();
    };
    await eventually(countOffers).toBe(1);
    await owner.composer.fill('');
  });

  test('A member sees the settings of the organization, and who may change them', async () => {
    const { page } = second;
    await second.chooseOwn('About this organization');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('Only administrators can change this.').waitFor();
    expect(await page.getByLabel('Allow editing messages').isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await page.getByLabel('Welcome message').waitFor();
    expect(await page.getByText('Deactivate organization').count()).toBe(0);
    await open(second, '#organization/linkifier-settings');
    await page.getByText('Only administrators can change this.').waitFor();
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    expect(second.complaints).toEqual([]);
  });

  test('A change of permissions and a new role reach an open page', async () => {
    await open(second, '#groups/all');
    const newGroup = second.page.getByRole('link', { name: 'New group' });
    await newGroup.waitFor();
    await open(owner, '#organization/organization-permissions');
    const who = owner.page.getByRole('combobox', { name: /^Create groups/ });
    await who.selectOption({ label: 'Moderators' });
    await newGroup.waitFor({ state: 'detached' });
    await press(owner.page, 'Choose people and groups: Create groups');
    await owner.page.getByRole('dialog').getByLabel('Bo', { exact: true }).check();
    await press(owner.page, 'Save');
    await newGroup.waitFor();
    await who.selectOption({ label: 'Moderators' });
    await newGroup.waitFor({ state: 'detached' });
    await open(owner, '#organization/users');
    await owner.page.getByLabel('Role of Bo').selectOption({ label: 'Moderator' });
    await newGroup.waitFor();
    await owner.page.getByLabel('Sort by').selectOption('Role');
    const firstRole = owner.page.getByRole('combobox', { name: /^Role of/ }).first();
    await eventually(() => firstRole.inputValue()).toBe('100');
  });

  test('A channel accepts messages only of the people whom it names', async () => {
    const { body } = await stage.service.owner.get('/streams');
    const { stream_id: id } = body.streams.find(({ name }: { name: string }) => name === 'harbour');
    await open(owner, `#channels/${id}`);
    await owner.page.getByRole('combobox', { name: /^Post messages/ }).selectOption({ label: 'pilots' });
    const who = async () => {
      const { body: read } = await stage.service.owner.get(`/streams/${id}`);
      const { body: groups } = await stage.service.owner.get('/user_groups');
      const isNamed = (group: { id: number }) => group.id === read.stream.can_send_message_group;
      return groups.user_groups.find(isNamed)?.name;
    };
    await eventually(who).toBe('pilots');
  });

  test('Several people are selected and get a role, a channel and a deactivation at once', async () => {
    const { page } = owner;
    const [cy, di] = await createUsers(stage.service, 'Cy', 'Di');
    await open(owner, '#organization/users');
    await press(page, 'Menu of Cy');
    const items = page.getByRole('menuitem');
    await eventually(() => items.allInnerTexts()).toEqual(['Profile', 'Edit Cy', 'Deactivate']);
    await page.keyboard.press('Escape');
    const select = async (): Promise<void> => {
      for (const name of ['Cy', 'Di']) await page.getByLabel(`Select ${name}`).check();
    };
    const dialog = page.getByRole('dialog');
    const deactivate = async (): Promise<void> => {
      await press(page, 'Deactivate…');
      await dialog.getByRole('button', { name: 'Deactivate' }).click();
    };
    await select();
    await owner.expectPresentable();
    await press(page, 'Role…');
    await dialog.getByLabel('Role').selectOption({ label: 'Moderator' });
    await press(page, 'Change role');
    await page.getByText('2 people: role changed to moderator').waitFor();
    await select();
    await press(page, 'Channel…');
    await dialog.getByLabel('Channel').selectOption({ label: '#harbour' });
    await press(page, 'Add to channel');
    await page.getByText('2 people added to #harbour').waitFor();
    const { body: harbour } = await stage.service.owner.get('/get_stream_id', { stream: 'harbour' });
    const { subscribers } = (await stage.service.owner.get(`/streams/${harbour.stream_id}/members`)).body;
    expect(subscribers).toEqual(expect.arrayContaining([cy.userId, di.userId]));
    await select();
    await deactivate();
    const notice = page.locator('.notice').filter({ hasText: '2 people deactivated' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 people reactivated').waitFor();
    await select();
    await deactivate();
    await eventually(() => page.getByLabel('Select Cy').count()).toBe(0);
  });

  test('A card shows another person’s profile, and an administrator ends the account by a dialog', async () => {
    const { page } = owner;
    const { body } = await stage.service.owner.get('/users/bo@example.com');
    await open(owner, `#user/${body.user.user_id}`);
    await page.getByRole('definition').filter({ hasText: 'Starboard' }).waitFor();
    await page.getByRole('link', { name: 'Edit account' }).click();
    await press(page, 'Deactivate account…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Notify by email').check();
    await dialog.getByLabel('Add a comment (optional)').fill('Fair winds.');
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByRole('heading', { name: 'This account is deactivated' }).waitFor();
    const mails = () => mailsTo(stage.service, 'bo@example.com').map(({ content = '' }) => content);
    await eventually(mails).toContainEqual(expect.stringContaining('Fair winds.'));
    await second.page.getByRole('button', { name: 'Sign in' }).waitFor();
    // The browser itself writes the refused call of the one who is signed out to the console.
    await second.context.close();
  });
});
