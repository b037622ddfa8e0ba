import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { signedInBrowser } from '#tests/harness/browser.ts';
import { PASSWORD, type TestService } from '#tests/harness/service.ts';
import { breachesOf } from './breaches.ts';
import { layoutFaults } from './layout.ts';

/** No step of a story takes longer, on a busy machine either. */
const STEP_MS = 45_000;
/** For conditions that are polled within one step. */
export const STEP = { timeout: STEP_MS };

/** A person at a browser. Errors of the page, and violations of its security policy, are recorded. */
export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    context.setDefaultTimeout(STEP_MS);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (line) => {
      if (line.type() === 'error') this.complaints.push(line.text());
    });
  }

  static async open(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visitor> {
    // A story can neither see nor change the replies that a page gets through a service worker.
    const usual = { viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' } as const;
    const context = await browser.newContext({ ...usual, ...options });
    return new Visitor(context, await context.newPage());
  }

  /** Opens the client with the session of a person who has signed in. */
  async enter({ url }: TestService, email: string): Promise<void> {
    const { cookies } = await signedInBrowser(url, email);
    const session = { url, httpOnly: true, sameSite: 'Lax' } as const;
    await this.context.addCookies([...cookies].map(([name, value]) => ({ name, value, ...session })));
    await this.page.goto(url);
    await this.page.getByRole('navigation', { name: 'Navigation' }).waitFor();
  }

  /** Signs in as a person does, and gets to the client. */
  async signIn({ url }: TestService, email: string): Promise<void> {
    await this.page.goto(`${url}/login/`);
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('navigation', { name: 'Navigation' }).waitFor();
  }

  /** Opens a part of the client by its address. */
  async goTo({ url }: TestService, hash: string): Promise<void> {
    await this.page.goto(`${url}/${hash}`);
    // Another hash loads nothing: the page before it may remain for one more frame.
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** The field in which a message is written. */
  get composer(): Locator {
    return this.page.locator('#compose-text');
  }

  /** Writes into the composer of the open conversation, and sends. */
  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.page.getByRole('button', { name: 'Send', exact: true }).click();
  }

  /** Drops files on the composer of the open conversation. A file without a size contains a word. */
  async drop(files: { name: string; bytes?: number }[]): Promise<void> {
    await this.page.locator('form.compose').evaluate((form, all) => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of all)
        transfer.items.add(new File([bytes === undefined ? 'text' : new Uint8Array(bytes)], name));
      form.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }, files);
  }

  /** The card of a file of the message that is being written. */
  attachment(name: string): Locator {
    return this.page
      .getByRole('list', { name: 'Attachments' })
      .getByRole('listitem')
      .filter({ has: this.page.locator(`[title="${name}"]`) });
  }

  /** Waits until files of the message are uploaded. */
  async uploads(...names: string[]): Promise<void> {
    for (const name of names) await this.attachment(name).and(this.page.locator('.done')).waitFor();
  }

  /** Waits until a message with this text is shown as confirmed by the service, and not as pending. */
  async reads(text: string): Promise<void> {
    await this.page.locator('.message:not(.pending) .rendered', { hasText: text }).first().waitFor();
  }

  /** The page breaks no rule of WCAG 2.2 AA, by axe. */
  async expectAccessible(): Promise<void> {
    // Loading elements are marked as such.
    await expect.poll(() => this.page.locator('[aria-busy=true]').count(), STEP).toBe(0);
    const breaches = await breachesOf(this.page);
    // A colour that is still on its way to another is looked at again. One look has no limit of its own.
    if (breaches.length > 0) await expect.poll(() => breachesOf(this.page), STEP).toEqual([]);
  }

  /** Opens a page, and finds it accessible. */
  async finds(service: TestService, hash: string): Promise<void> {
    await this.goTo(service, hash);
    await this.expectAccessible();
  }

  /** Nothing of the open page is cut off or too small to hit, on a telephone and on a tablet. */
  async expectFitting(): Promise<void> {
    const before = this.page.viewportSize();
    for (const width of [360, 768]) {
      await this.page.setViewportSize({ width, height: 740 });
      await expect
        .poll(() => layoutFaults(this.page), { ...STEP, message: `${this.page.url()} at ${width} px` })
        .toEqual([]);
    }
    if (before) await this.page.setViewportSize(before);
  }

  /** Ends the visit; a page that complained fails the test. */
  async leave(): Promise<void> {
    await this.context.close();
    expect(this.complaints).toEqual([]);
  }
}
