import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { signedInBrowser } from '#tests/harness/browser.ts';
import { PASSWORD, type TestService } from '#tests/harness/service.ts';
import { breachesOf } from './breaches.ts';
import { layoutFaults } from './layout.ts';

/** No step of a story takes longer, on a busy machine either. */
const STEP_MS = 45_000;
/** Polls until an expectation holds, for as long as one step may take. */
export const eventually = <Value>(read: () => Value, options: { interval?: number; message?: string } = {}) =>
  expect.poll(read, { timeout: STEP_MS, ...options });

/** A person at a browser. Errors of the page, and violations of its security policy, are recorded. */
export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[] = [];
  #mayComplain = false;
  #isGone = false;

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    context.setDefaultTimeout(STEP_MS);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (line) => {
      if (line.type() === 'error') this.complaints.push(line.text());
    });
    context.on('close', () => {
      this.#isGone = true;
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

  /** Fills in the form of signing in that is on the screen. */
  async authenticate(email: string, password = PASSWORD): Promise<void> {
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Signs in as a person does, and gets to the client. */
  async signIn({ url }: TestService, email: string): Promise<void> {
    await this.page.goto(`${url}/login/`);
    await this.authenticate(email);
    await this.page.getByRole('navigation', { name: 'Navigation' }).waitFor();
  }

  /** Another page of the same browser, which shows the client. */
  async openTab(address = this.page.url()): Promise<Visitor> {
    const tab = new Visitor(this.context, await this.context.newPage());
    await tab.page.goto(address);
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
    return tab;
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

  /** Sends the message in the composer. */
  async send(): Promise<void> {
    await this.page.getByRole('button', { name: 'Send', exact: true }).click();
  }

  /** Writes into the composer of the open conversation, and sends. */
  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.send();
  }

  /** Waits until the composer contains this text, or one that matches. */
  async expectDraft(text: string | RegExp): Promise<void> {
    const content = eventually(() => this.composer.inputValue());
    await (typeof text === 'string' ? content.toBe(text) : content.toMatch(text));
  }

  /** Opens a menu by its button, and chooses an entry. */
  async choose(button: string, entry: string): Promise<void> {
    await this.page.getByRole('button', { name: button }).first().click();
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click();
  }

  /** Chooses an entry of the own menu. */
  async chooseOwn(entry: string): Promise<void> {
    await this.page.locator('.org').click();
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click();
  }

  /** Edits the last own message by a key; returns the box with its source. */
  async startEdit(source: string): Promise<Locator> {
    const box = this.page.getByRole('textbox', { name: 'Edit message' });
    // The message box may take the focus back once its own message has arrived.
    await eventually(async () => {
      if ((await box.count()) > 0) return box.inputValue();
      await this.page.locator('.main h1').click();
      await this.page.keyboard.press('ArrowLeft');
      return undefined;
    }).toBe(source);
    return box;
  }

  /** Quotes the message with this text, or the part of it that is selected. */
  async quote(text: string): Promise<void> {
    const message = this.page.locator('.message', { hasText: text });
    await message.hover();
    await message.getByRole('button', { name: 'Quote and reply' }).first().click();
  }

  /** The service refuses to send messages, in these words, until the route is removed. */
  async refuseSending(msg: string): Promise<void> {
    this.expectComplaints();
    await this.page.route('**/api/v1/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg } })
        : route.continue(),
    );
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

  /** Chooses files by the button of the composer. */
  async attach(...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.getByRole('button', { name: 'Attach files' }).click();
    await (await chooser).setFiles(files);
  }

  /** Lets uploads wait until the returned function is called. */
  async holdUploads(): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    await this.page.route('**/api/v1/user_uploads', async (route) => {
      await held.promise;
      await route.continue();
    });
    return held.resolve;
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
    await eventually(() => this.page.locator('[aria-busy=true]').count()).toBe(0);
    const breaches = await breachesOf(this.page);
    // A colour that is still on its way to another is looked at again. One look has no limit of its own.
    if (breaches.length > 0) await eventually(() => breachesOf(this.page)).toEqual([]);
  }

  /** The page is accessible, and fits a telephone and a tablet. */
  async expectPresentable(): Promise<void> {
    await this.expectAccessible();
    await this.expectFitting();
  }

  /** Opens a page, and finds it accessible. */
  async finds(service: TestService, hash: string): Promise<void> {
    await this.goTo(service, hash);
    await this.expectAccessible();
  }

  /** Nothing of the open page is cut off or too small to hit, on a telephone and on a tablet. */
  async expectFitting(): Promise<void> {
    const before = this.page.viewportSize();
    for (const width of [320, 360, 768]) {
      await this.page.setViewportSize({ width, height: 740 });
      const message = `${this.page.url()} at ${width} px`;
      await eventually(() => layoutFaults(this.page), { message }).toEqual([]);
    }
    if (before) await this.page.setViewportSize(before);
  }

  /** The story has failing calls, which the browser itself writes to the console of the page. */
  expectComplaints(): void {
    this.#mayComplain = true;
  }

  /** Ends the visit; a page that complained fails the test. */
  async leave(): Promise<void> {
    if (this.#isGone) return;
    await this.context.close();
    if (!this.#mayComplain) expect(this.complaints).toEqual([]);
  }
}
