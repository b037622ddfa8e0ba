import { afterAll, describe, expect, test } from 'vitest';
import { Visitor } from './browser.ts';
import { launchBrowser } from './launch.ts';
import { openStage } from './stage.ts';

const browser = await launchBrowser();
const stage = await openStage(browser);
/** As the local service and a first deployment begin. */
const begun = await openStage(undefined, { beginsWithConversations: true });
afterAll(async () => {
  await stage.close();
  await begun.close();
});

describe.runIf(browser)('In the first ten minutes', () => {
  test('An owner names the team, says hello in #general, and everyone who joins starts there', async () => {
    const { service } = stage;
    const visitor = await Visitor.open(browser!);
    const { page } = visitor;
    await visitor.enter(service, service.owner.email);
    await page.getByRole('button', { name: 'Set up your team' }).click();
    await page.getByLabel('What’s your team called?').fill('Kiln');
    await page.getByLabel('Full name').fill('Sam Whitaker');
    await visitor.expectAccessible();
    await visitor.expectFitting();
    await page.getByRole('button', { name: 'Create #general' }).click();
    await page.getByRole('heading', { level: 1, name: /Hello, Kiln/ }).waitFor();
    await page.locator('#compose-text:focus').waitFor();
    await visitor.say('Good morning!');
    await visitor.reads('Good morning!');
    await page.locator('.org', { hasText: 'Kiln' }).waitFor();
    const { body } = await service.owner.post('/register', {});
    expect(body.realm_default_streams).toHaveLength(1);
    expect(body.full_name).toBe('Sam Whitaker');
    await visitor.leave();
  });

  test('A new organization shows by doing, and its owner ticks off the first steps', async () => {
    const { service } = begun;
    const visitor = await Visitor.open(browser!);
    const { page } = visitor;
    await visitor.enter(service, service.owner.email);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('0 of 5').waitFor();
    await page.locator('.main').getByText('How topics work').waitFor();
    await visitor.expectAccessible();
    await visitor.expectFitting();
    await steps.getByRole('button', { name: 'Name your team' }).click();
    await page.getByLabel('What’s your team called?').fill('Kiln');
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Done' }).click();
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
    await visitor.leave();
  });
});
