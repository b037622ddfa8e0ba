import { describe, expect, test } from 'vitest';
import { createSignInLink } from '#infra/local/sign-in-link.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { PASSWORD } from '#tests/harness/service.ts';
import { eventually, type Visitor } from './browser.ts';
import { openStage } from './stage.ts';

const stage = await openStage();

/** The link in the newest mail to an address. */
const linkMailedTo = async (email: string): Promise<string> => {
  await eventually(() => mailsTo(stage.service, email).length).toBeGreaterThan(0);
  const { content = '' } = mailsTo(stage.service, email).at(-1) ?? {};
  return /http:\/\/\S+/.exec(content)?.[0] ?? '';
};

describe.runIf(stage.browser)('Accounts in a browser', () => {
  const navigation = ({ page }: Visitor) => page.getByRole('navigation', { name: 'Navigation' });

  test('The link that the start of the service prints signs the owner in once', async () => {
    const { services, url, owner } = stage.service;
    const link = await createSignInLink(services, url, owner.email);
    const { visitor, page } = await stage.visit();
    await page.goto(link);
    await navigation(visitor).waitFor();
    expect(page.url()).not.toContain('token');
    // An organization without channels shows its first person how to start.
    await page.getByRole('main').getByRole('button', { name: 'Set up your team' }).waitFor();
    await page.getByRole('link', { name: 'Invite people' }).waitFor();
    const late = await stage.visit();
    late.visitor.expectComplaints();
    await late.page.goto(link);
    await late.page.getByRole('alert').filter({ hasText: 'was used' }).waitFor();
  });

  test('A wrong password gives an error in a sentence', async () => {
    const ada = await stage.service.createUser('Ada');
    const { visitor, page } = await stage.visit();
    visitor.expectComplaints();
    await page.goto(`${stage.service.url}/login/`);
    await visitor.authenticate(ada.email, 'not the password');
    await page.getByRole('alert').waitFor();
    expect(await navigation(visitor).count()).toBe(0);
  });

  test('An invitation link for many, and a mail that proves the address, create an account', async () => {
    const { body } = await stage.service.owner.post('/invites/multiuse', {});
    const { visitor, page } = await stage.visit();
    await page.goto(body.invite_link);
    await page.getByLabel('Email').fill('newcomer@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Check your email').waitFor();
    await page.getByText('the link is printed in the terminal').waitFor();
    await page.goto(await linkMailedTo('newcomer@example.com'));
    await page.getByLabel('Full name').fill('New Comer');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await navigation(visitor).waitFor();
    const { body: found } = await stage.service.owner.get('/users/newcomer@example.com');
    expect(found.user.full_name).toBe('New Comer');
  });

  test('A person who forgot the password sets another by mail, and the old one no longer works', async () => {
    const { email } = await stage.service.createUser('Forgetful');
    const { visitor, page } = await stage.visit();
    await page.goto(`${stage.service.url}/login/`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByText('Check your email').waitFor();
    await page.goto(await linkMailedTo(email));
    await page.getByLabel('New password').fill('an otter in a yellow boat');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await navigation(visitor).waitFor();
    const old = await sendForm(stage.service.url, '/fetch_api_key', { username: email, password: PASSWORD });
    expect(old.status).toBe(401);
  });

  test('A person who changes password and address, by a link mailed to the new one, stays signed in', async () => {
    const { owner, url } = stage.service;
    const mover = await stage.service.createUser('Mover');
    const { visitor, page } = await stage.visit();
    // The page starts without a session, and the poll of the ended one is refused.
    visitor.expectComplaints();
    await page.goto(`${url}/#settings/account-and-privacy`);
    await visitor.authenticate(mover.email);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('an otter in a yellow boat');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await page.getByLabel('New email').fill('moved@example.com');
    await page.getByRole('button', { name: 'Change email' }).click();
    await page.getByText('We sent a link to').waitFor();
    await visitor.expectAccessible();
    await page.goto(await linkMailedTo('moved@example.com'));
    await page.getByRole('button', { name: 'Confirm email' }).waitFor();
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Confirm email' }).click();
    await page.getByText('Email changed').waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await navigation(visitor).waitFor();
    const { body } = await owner.get(`/users/${mover.userId}`);
    expect(body.user.delivery_email).toBe('moved@example.com');
  });
});

describe.runIf(stage.browser)('Every page before signing in is accessible', () => {
  test.each(['light', 'dark'] as const)('In the %s theme', async (colorScheme) => {
    const { url, owner } = stage.service;
    const { body } = await owner.post('/invites/multiuse', {});
    const { visitor, page } = await stage.visit({ colorScheme });
    for (const address of [
      `${url}/accounts/password/reset/`,
      `${url}/accounts/password/reset/${'k'.repeat(40)}/`,
      body.invite_link,
    ]) {
      await page.goto(address);
      await page.locator('form').waitFor();
      await visitor.expectAccessible();
    }
  });
});
