import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { buildWeb } from '#infra/web/build.ts';
import { signedInBrowser } from '#tests/harness/browser.ts';
import { Client } from '#tests/harness/client.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';
import { openDurable, type Visit } from './stage.ts';

const folder = temporaryFolder('web-offline');
await buildWeb(folder);
const webFolder = join(folder, 'web');
const durable = await openDurable();
const { browser, stage, bo, channel, hashOf, open } = await openPair({
  ...durable,
  webFolder,
  mayComplain: true,
});

/** The stories of this file use what others leave out. */
const ALLOWED = { serviceWorkers: 'allow' } as const;

/**
 * The data that a page left on the device: workers, caches with files, and databases. Chromium opens a removed cache again, empty,
 * when it stores the compiled code of a script that came from it.
 */
const leftOn = (page: Page): Promise<{ workers: number; caches: string[]; databases: string[] }> =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const files = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return {
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      caches: names.filter((_, index) => files[index]?.length),
      databases: (await indexedDB.databases()).map(({ name }) => name ?? ''),
    };
  });

/** Whether the device takes a version of the client that is not in use yet. */
const isInstalling = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const { installing, waiting, active } = await navigator.serviceWorker.ready;
    return installing !== null || waiting !== null || active?.state !== 'activated';
  });

/** Waits until the device has the client, and a message. */
async function untilKept(page: Page, text: string): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const isKept = (words: string): Promise<boolean> =>
    new Promise((resolve) => {
      const name = `conversations ${Object.entries(localStorage).find(([key]) => key === 'kept account')?.[1]}`;
      const opening = indexedDB.open(name);
      // The page itself makes it.
      opening.onupgradeneeded = () => opening.transaction?.abort();
      opening.onerror = () => resolve(false);
      opening.onsuccess = () => {
        const { result: database } = opening;
        const read = database.transaction(['runs', 'parts']);
        const runs = read.objectStore('runs').getAll();
        const whole = read.objectStore('parts').get('whole');
        read.oncomplete = () => {
          database.close();
          resolve(whole.result === true && JSON.stringify(runs.result).includes(words));
        };
      };
    });
  await eventually(() => page.evaluate(isKept, text)).toBe(true);
}

/** Opens the database of the conversations, and closes it only some time after another page wants to remove it. */
async function closeLate(delayMs: number): Promise<void> {
  const [{ name = '' } = {}] = await indexedDB.databases();
  const opening = indexedDB.open(name);
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  opening.result.onversionchange = () => setTimeout(() => opening.result.close(), delayMs);
}

async function signOut(page: Page): Promise<void> {
  await page.locator('.org').click();
  await page.getByRole('menuitem', { name: /Sign out/i }).click();
  await page.waitForURL('**/login/');
}

/** Makes the build another version, as an upgrade does. */
function upgrade(): string {
  const index = readFileSync(join(webFolder, 'index.html'), 'utf8');
  const [, version = ''] = /name="version" content="([^"]+)"/.exec(index) ?? [];
  const next = version.replaceAll(/[0-9a-f]/g, (digit) =>
    ((Number.parseInt(digit, 16) + 1) % 16).toString(16),
  );
  const beside = `${webFolder}-next`;
  cpSync(webFolder, beside, { recursive: true });
  for (const name of ['index.html', 'sw.js']) {
    const text = readFileSync(join(beside, name), 'utf8').replaceAll(version, next);
    writeFileSync(join(beside, name), text);
    for (const ending of ['br', 'gz']) rmSync(join(beside, `${name}.${ending}`));
  }
  const listed: { path: string; isCompressed: boolean }[] = JSON.parse(
    readFileSync(join(beside, 'manifest.json'), 'utf8'),
  );
  for (const file of listed) if (['index.html', 'sw.js'].includes(file.path)) file.isCompressed = false;
  writeFileSync(join(beside, 'manifest.json'), JSON.stringify(listed));
  cpSync(beside, webFolder, { recursive: true });
  rmSync(beside, { recursive: true });
  return next;
}

const versionOf = (page: Page): Promise<string | null> =>
  page.locator('meta[name=version]').getAttribute('content');

describe.runIf(browser)('In a browser with an offline copy', () => {
  test('The client opens with its last conversations, and sends offline messages when the service is back', async () => {
    await bo.send(channel.name, 'harbor', 'the **tide** is low');
    const { visitor, page } = await open(hashOf('harbor'), ALLOWED);
    await visitor.reads('tide');
    await untilKept(page, 'tide');
    await stage.service.stop();
    await page.reload();
    await visitor.reads('tide');
    await page.getByText('Messages will be sent when you’re back.').waitFor();
    await visitor.say('written below deck');
    await page.locator('.pending', { hasText: 'written below deck' }).waitFor();
    await page.reload();
    await page.locator('.pending', { hasText: 'written below deck' }).waitFor();
    await stage.restart();
    await visitor.reads('written below deck');
    await page.locator('.pending').first().waitFor({ state: 'detached' });
    await new Client(stage.service.url, bo).send(channel.name, 'harbor', 'and it rises');
    await visitor.reads('and it rises');
  });

  /** A page whose device has the client and the conversation with the tide. */
  const openKept = async (): Promise<Visit> => {
    const visit = await open(hashOf('harbor'), ALLOWED);
    await untilKept(visit.page, 'tide');
    return visit;
  };

  test('A new version announces itself, and the next load shows it', async () => {
    const { visitor, page } = await openKept();
    const before = await versionOf(page);
    const next = upgrade();
    await stage.restart();
    await page.getByText('A new version is ready').waitFor();
    expect(await versionOf(page)).toBe(before);
    await visitor.composer.fill('half a thought');
    await page.getByRole('button', { name: 'Reload' }).click({ noWaitAfter: true });
    await eventually(() => versionOf(page).catch(() => null)).toBe(next);
    await eventually(() => visitor.composer.inputValue().catch(() => null)).toBe('half a thought');
    expect(await page.getByText('A new version is ready').count()).toBe(0);
    await eventually(() => leftOn(page)).toMatchObject({ caches: [`client ${before}`, `client ${next}`] });
    await eventually(() => isInstalling(page)).toBe(false);
    await stage.service.stop();
    await page.reload();
    await visitor.composer.waitFor();
    expect(await versionOf(page)).toBe(next);
    await stage.restart();
  });

  test('Signing out leaves neither a worker nor conversations on the device', async () => {
    const { page } = await openKept();
    const answers = await page.evaluate(async () => {
      const found = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      );
      return found.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(answers).toContain('/');
    expect(answers.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
    await signOut(page);
    expect(await leftOn(page)).toEqual({ workers: 0, caches: [], databases: [] });
  });

  test('Signing out waits for a page that is still writing to the device', async () => {
    const { visitor, page } = await openKept();
    const other = await visitor.context.newPage();
    await other.goto(new URL('/robots.txt', stage.service.url).href);
    await other.evaluate(closeLate, 1_000);
    await signOut(page);
    expect(await leftOn(page)).toMatchObject({ databases: [] });
  });

  test('A file that arrives after the offline copy was removed is not cached', async () => {
    const { page } = await openKept();
    await eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    const type = await page.evaluate(async () => {
      const script = document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '';
      for (const name of await caches.keys()) await caches.delete(name);
      const file = await fetch(script, { cache: 'reload' });
      return file.headers.get('cache-control');
    });
    expect(type).toContain('immutable');
    expect(await leftOn(page)).toMatchObject({ caches: [] });
  });

  test('Another account that signs in finds nothing of the one before', async () => {
    const { visitor, page } = await openKept();
    const { cookies } = await signedInBrowser(stage.service.url, bo.email);
    await visitor.context.clearCookies();
    await visitor.context.addCookies(
      [...cookies].map(([name, value]) => ({ name, value, url: stage.service.url, httpOnly: true })),
    );
    await page.reload();
    await eventually(() => leftOn(page)).toMatchObject({ databases: [`conversations ${bo.userId}`] });
    await untilKept(page, 'tide');
  });

  test('A browser that has no workers and keeps nothing shows the client all the same', async () => {
    const block = () => {
      const get = () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      };
      Object.defineProperty(Navigator.prototype, 'serviceWorker', { get });
      for (const name of ['indexedDB', 'caches', 'localStorage'])
        Object.defineProperty(window, name, { get });
    };
    const { visitor, page } = await open(hashOf('harbor'), ALLOWED, ({ context }) =>
      context.addInitScript(block),
    );
    await visitor.say('kept nowhere');
    await visitor.reads('kept nowhere');
    // Longer than the client waits before it shows its offline copy.
    await page.waitForTimeout(4_000);
    expect(visitor.complaints).toEqual([]);
  });
});
