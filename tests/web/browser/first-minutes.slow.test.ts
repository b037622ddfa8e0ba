import { describe, expect, test } from 'vitest';
import { keyMailedTo } from '#tests/harness/mails.ts';
import { PASSWORD } from '#tests/harness/service.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
/** As the local service and a first deployment begin. */
const begun = await openStage({ beginsWithConversations: true });

describe.runIf(stage.browser)('In the first ten minutes', () => {
  test('An owner names the team, says hello in #general, and everyone who joins starts there', async () => {
    const { service } = stage;
    const { visitor, page } = await stage.enter(service.owner.email);
    await page.getByRole('button', { name: 'Set up your team' }).click();
    await page.getByLabel('What’s your team called?').fill('Kiln');
    await visitor.expectPresentable();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('They’ll land in #general').waitFor();
    await visitor.expectPresentable();
    await page.getByLabel('Who works with you?').fill('ada@kiln.example, mats@kiln.example');
    await page.getByRole('button', { name: 'Send invitations' }).click();
    await page.getByLabel('Full name').fill('Sam Whitaker');
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /Hello, Kiln/ }).waitFor();
    await page.locator('#compose-text:focus').waitFor();
    await visitor.say('Good morning!');
    await visitor.reads('Good morning!');
    await page.locator('.org', { hasText: 'Kiln' }).waitFor();
    const { body } = await service.owner.post('/register', {});
    expect(body.realm_default_streams).toHaveLength(1);
    expect(body.full_name).toBe('Sam Whitaker');
    const invited = (await service.owner.get('/invites')).body.invites;
    const addresses = invited.map(({ email }: { email: string }) => email).sort();
    expect(addresses).toEqual(['ada@kiln.example', 'mats@kiln.example']);
    const { visitor: newcomer } = await stage.visit();
    await newcomer.page.goto(`${service.url}/join/${keyMailedTo(service, 'ada@kiln.example')}/`);
    await newcomer.page.getByLabel('Full name').fill('Ada');
    await newcomer.page.getByLabel('Password').fill(PASSWORD);
    await newcomer.page.getByRole('button', { name: 'Create account' }).click();
    await newcomer.page.getByRole('heading', { level: 1, name: /Hello, Kiln/ }).waitFor();
    await newcomer.reads('Good morning!');
    await newcomer.page.locator('#compose-text:focus').waitFor();
  });

  test('A new organization shows by doing, and its owner ticks off the first steps', async () => {
    const { visitor, page } = await begun.enter(begun.service.owner.email);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('0 of 5').waitFor();
    await page.locator('.main').getByText('How topics work').waitFor();
    await visitor.expectPresentable();
    await steps.getByRole('button', { name: 'Name your team' }).click();
    await page.getByLabel('What’s your team called?').fill('Kiln');
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /Hello, Kiln/ }).waitFor();
    await visitor.composer.fill('Good morning!');
    await visitor.composer.press('Enter');
    await visitor.reads('Good morning!');
    await steps.getByText('2 of 5').waitFor();
    await steps.getByRole('button', { name: /^Say hello ?, done/ }).waitFor();
    await steps.getByRole('button', { name: 'Create a second channel' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.reload();
    await steps.getByText('2 of 5').waitFor();
    await steps.getByRole('button', { name: 'Hide first steps' }).click();
    await steps.waitFor({ state: 'detached' });
  });
});
