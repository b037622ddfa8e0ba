import { describe, expect, test } from 'vitest';
import { messages as arabic } from '#web/texts/ar.ts';
import { messages as german } from '#web/texts/de.ts';
import { eventually, type Visitor } from './browser.ts';
import { openStage } from './stage.ts';

const stage = await openStage();

const pageOf = ({ page }: Visitor) =>
  page.evaluate(() => {
    const { lang, dir } = document.documentElement;
    return { lang, dir };
  });

describe.runIf(stage.browser)('Languages in a browser', () => {
  test('The page to sign in has the language of the browser', async () => {
    const { visitor, page } = await stage.visit({ locale: 'de-AT' });
    await page.goto(`${stage.service.url}/login/`);
    await page.getByRole('button', { name: german['account.signIn']! }).waitFor();
    expect(await pageOf(visitor)).toEqual({ lang: 'de', dir: 'ltr' });
  });

  test('A visitor without an account chooses another language, which the device remembers', async () => {
    const { visitor, page } = await stage.visit();
    await page.goto(`${stage.service.url}/accounts/password/reset/`);
    await page.getByLabel('Language').selectOption('العربية');
    await page.getByRole('button', { name: arabic['account.sendTheLink']! }).waitFor();
    expect(await pageOf(visitor)).toEqual({ lang: 'ar', dir: 'rtl' });
    await visitor.expectPresentable();
    await page.goto(`${stage.service.url}/login/`);
    await page.getByRole('button', { name: arabic['account.signIn']! }).waitFor();
    await page.getByLabel(arabic['settings.language']!).selectOption('English');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('A visitor whose browser keeps nothing chooses another language', async () => {
    const { visitor, page } = await stage.visit();
    await page.addInitScript(
      "Object.defineProperty(window, 'localStorage', { get() { throw new Error('Blocked'); } })",
    );
    await page.goto(`${stage.service.url}/login/`);
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('button', { name: german['account.signIn']! }).waitFor();
    expect(await pageOf(visitor)).toEqual({ lang: 'de', dir: 'ltr' });
  });

  test('An account that chooses Arabic has its pages from right to left, on every device and signed out', async () => {
    const ada = await stage.service.createUser('Ada');
    const { visitor, page } = await stage.enter(ada.email);
    await visitor.goTo(stage.service, '#settings/preferences');
    await page.getByLabel('Language').selectOption('العربية');
    await page.getByLabel(arabic['settings.language']!).waitFor();
    expect(await pageOf(visitor)).toEqual({ lang: 'ar', dir: 'rtl' });
    const navigation = await page
      .getByRole('navigation', { name: arabic['shell.navigation']! })
      .boundingBox();
    expect(navigation?.x).toBeGreaterThan(640);
    await visitor.expectPresentable();
    await visitor.goTo(stage.service, '#organization/organization-permissions');
    await page.getByText(arabic['groupNames.members']!).first().waitFor({ state: 'attached' });
    const { visitor: other } = await stage.visit();
    await other.page.goto(`${stage.service.url}/login/`);
    await other.authenticate(ada.email);
    await eventually(() => pageOf(other)).toEqual({ lang: 'ar', dir: 'rtl' });
    await other.page.goto(`${stage.service.url}/login/`);
    await other.page.getByRole('button', { name: arabic['account.signIn']! }).waitFor();
  });
});
