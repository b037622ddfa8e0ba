import { afterAll, describe, expect, test } from 'vitest';
import { Visitor } from './browser.ts';
import { launchBrowser } from './launch.ts';
import { openStage } from './stage.ts';

const browser = await launchBrowser();
const stage = await openStage(browser);
afterAll(() => stage.close());

describe.runIf(browser)('In the first ten minutes', () => {
  test('An owner names the team, says hello in #general, and everyone who joins starts there', async () => {
    const { service } = stage;
    const visitor = await Visitor.open(browser!);
    const { page } = visitor;
    await visitor.enter(service, service.owner.email);
    await page.getByRole('button', { name: 'Set up your team' }).click();
    await page.getByLabel('What’s your team called?').fill('Kiln');
    await page.getByLabel('Your name').fill('Sam Whitaker');
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
});
