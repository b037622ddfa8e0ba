import { describe, expect, test } from 'vitest';
import { Program, REDIRECT } from '#tests/harness/oauth.ts';
import { eventually } from './browser.ts';
import { openStage } from './stage.ts';

const stage = await openStage();

describe.runIf(stage.browser)('Tokens in a browser', () => {
  test('A person creates a token, copies it once and revokes it', async () => {
    const { url } = stage.service;
    const maker = await stage.service.createUser('Maker');
    await maker.subscribe('releases');
    const { visitor, page } = await stage.visit();
    await page.goto(`${url}/#settings/api-tokens`);
    await visitor.authenticate(maker.email);
    await page.getByLabel('Name').fill('Release notes');
    await page.getByRole('checkbox', { name: 'releases' }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const text = await page.getByLabel('New token').inputValue();
    const headers = { authorization: `Bearer ${text}` };
    expect((await fetch(`${url}/api/v1/users/me`, { headers })).status).toBe(200);
    await page.getByText('only #releases').waitFor();
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Revoke Release notes' }).click();
    await page.getByRole('button', { name: 'Revoke token', exact: true }).click();
    await page.getByText('No tokens yet').waitFor();
    expect((await fetch(`${url}/api/v1/users/me`, { headers })).status).toBe(401);
    // The page started without a session, which is in the console.
    await visitor.context.close();
  });

  test('A person signs in on the page of consent, and grants a program fewer scopes than requested', async () => {
    const { url } = stage.service;
    const person = await stage.service.createUser('Consenting');
    await person.subscribe('releases');
    const program = await Program.register(url);
    const { visitor, page } = await stage.visit();
    let answer = '';
    await page.route(`${REDIRECT}**`, (route) => {
      answer = route.request().url();
      return route.fulfill({ body: 'Done' });
    });
    const asked = program.asked() as Record<string, string>;
    await page.goto(`${url}/oauth/authorize?${new URLSearchParams(asked)}`);
    await visitor.authenticate(person.email);
    await page.getByText('You’re Consenting').waitFor();
    await visitor.expectAccessible();
    await page.getByLabel('Write messages').uncheck();
    await page.getByLabel('Only some channels').check();
    await page.getByLabel('Channels', { exact: true }).selectOption('#releases');
    await page.getByRole('button', { name: 'Allow access' }).click();
    await eventually(() => answer).toContain('code=');
    const { body } = await program.exchange(new URL(answer).searchParams.get('code') ?? '');
    expect(body.scope).toBe('read');
    const holder = program.holder(person, body.access_token);
    expect((await holder.get('/streams')).body.streams).toMatchObject([{ name: 'releases' }]);
    await visitor.context.close();
  });
});
