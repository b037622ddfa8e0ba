import { describe, expect, test } from 'vitest';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, hashOf } = await openPair();
const { service, visit } = stage;

describe.runIf(browser)('Two browsers', () => {
  test('Show each person the messages, reactions and edits of the other', async () => {
    const [{ visitor: a }, { visitor: b }] = [await visit(), await visit()];
    await Promise.all([a.signIn(service, ada.email), b.signIn(service, bo.email)]);
    await Promise.all([a.goTo(service, hashOf('logo')), b.goTo(service, hashOf('logo'))]);
    await a.say('Third **round** is up.');
    await b.reads('Third round is up.');
    await b.page.locator('.message').hover();
    await b.page.getByRole('button', { name: 'Add a reaction' }).click();
    // The field is focused as soon as the picker is there.
    await b.page.locator('input:focus[aria-label="Search emoji"]').waitFor();
    await b.page.keyboard.type('tada');
    await b.page.keyboard.press('Enter');
    await b.page.locator('.emoji-picker').waitFor({ state: 'detached' });
    await a.page.getByRole('button', { name: 'tada: Bo' }).waitFor();
    await a.page.locator('.message').hover();
    await a.page.getByRole('button', { name: 'More actions' }).click();
    await a.page.getByRole('menuitem', { name: 'Edit' }).click();
    await a.page.getByLabel('Edit message').fill('Fourth round is up.');
    await a.page.getByRole('button', { name: 'Save' }).click();
    await b.reads('Fourth round is up.');
  });

  test('Show signing in at the address after signing out, and nothing of the account', async () => {
    const { visitor, page } = await visit();
    visitor.expectComplaints();
    await visitor.signIn(service, ada.email);
    await visitor.chooseOwn('Sign out');
    await page.waitForURL(/\/login\/$/);
    await page.goto(service.url);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });
});
