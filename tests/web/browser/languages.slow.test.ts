import { describe, expect, test } from 'vitest';
import { PASSWORD } from '#tests/harness/service.ts';
import { messages as arabic } from '#web/texts/ar.ts';
import { messages as german } from '#web/texts/de.ts';
import { STEP, Visitor } from './browser.ts';
import { launchBrowser } from './launch.ts';
import { openStage } from './stage.ts';

const browser = await launchBrowser();
const stage = await openStage(browser);

const pageOf = ({ page }: Visitor) =>
  page.evaluate(() => {
    const { lang, dir } = document.documentElement;
    return { lang, dir };
  });

/** Signs in on an English page. */
async function signIn({ page }: Visitor, email: string): Promise<void> {
  await page.goto(`${stage.service.url}/login/`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.runIf(browser)('Languages in a browser', () => {
  test('The page to sign in has the language of the browser', async () => {
    const visitor = await Visitor.open(browser!, { locale: 'de-AT' });
    await visitor.page.goto(`${stage.service.url}/login/`);
    await visitor.page.getByRole('button', { name: german['account.signIn']! }).waitFor();
    expect(await pageOf(visitor)).toEqual({ lang: 'de', dir: 'ltr' });
    await visitor.leave();
  });

  test('A visitor without an account chooses another language, which the device remembers', async () => {
    const visitor = await Visitor.open(browser!);
    const { page } = visitor;
    await page.goto(`${stage.service.url}/accounts/password/reset/`);
    await page.getByLabel('Language').selectOption('العربية');
    await page.getByRole('button', { name: arabic['account.sendTheLink']! }).waitFor();
    expect(await pageOf(visitor)).toEqual({ lang: 'ar', dir: 'rtl' });
    await visitor.expectFitting();
    await visitor.expectAccessible();
    await page.goto(`${stage.service.url}/login/`);
    await page.getByRole('button', { name: arabic['account.signIn']! }).waitFor();
    await page.getByLabel(arabic['settings.language']!).selectOption('English');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await visitor.leave();
  });

  test('A visitor whose browser keeps nothing chooses another language', async () => {
    const visitor = await Visitor.open(browser!);
    const { page } = visitor;
    await page.addInitScript(
      "Object.defineProperty(window, 'localStorage', { get() { throw new Error('Blocked'); } })",
    );
    await page.goto(`${stage.service.url}/login/`);
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('button', { name: german['account.signIn']! }).waitFor();
    expect(await pageOf(visitor)).toEqual({ lang: 'de', dir: 'ltr' });
    await visitor.leave();
  });

  test('An account that chooses Arabic has its pages from right to left, on every device and signed out', async () => {
    const ada = await stage.service.createUser('Ada');
    const visitor = await Visitor.open(browser!);
    await visitor.enter(stage.service, ada.email);
    await visitor.goTo(stage.service, '#settings/preferences');
    const { page } = visitor;
    await page.getByLabel('Language').selectOption('العربية');
    await page.getByLabel(arabic['settings.language']!).waitFor();
    expect(await pageOf(visitor)).toEqual({ lang: 'ar', dir: 'rtl' });
    const navigation = await page
      .getByRole('navigation', { name: arabic['shell.navigation']! })
      .boundingBox();
    expect(navigation?.x).toBeGreaterThan(640);
    await visitor.expectFitting();
    await visitor.expectAccessible();
    await visitor.goTo(stage.service, '#organization/organization-permissions');
    await page.getByText(arabic['groupNames.members']!).first().waitFor({ state: 'attached' });
    const other = await Visitor.open(browser!);
    await signIn(other, ada.email);
    await expect.poll(() => pageOf(other), STEP).toEqual({ lang: 'ar', dir: 'rtl' });
    await other.page.goto(`${stage.service.url}/login/`);
    await other.page.getByRole('button', { name: arabic['account.signIn']! }).waitFor();
    await Promise.all([visitor.leave(), other.leave()]);
  });
});
