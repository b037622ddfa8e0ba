import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startService } from '#infra/local/start.ts';
import { buildWeb } from '#infra/web/build.ts';
import { launchBrowser } from '../browser/launch.ts';
import { layoutFaults } from '../browser/layout.ts';
import { organizationPagesOf, pagesOf } from '../pages.ts';
import { fillOrganization, TOUR_PASSWORD } from './organization.ts';

/**
 * `npm run tour:web [-- FOLDER [PAGE…]]`: pictures of every page of the web client in both themes at four widths and at
 * 200 %, in `dist/tour` where no folder is named, and the picture of the README. It tells what of a page does not fit. Ends
 * with status 1 where a page shows none, or no browser runs.
 */
const ROOT = join(import.meta.dirname, '..', '..', '..');
const README_PICTURE = join(ROOT, 'docs', 'picture.png');
const STEP_MS = 20_000;
const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1300 },
];
/** What a window of 1 280 px shows at 200 %. */
const ZOOMED = { width: 640, height: 400 };

const [wantedFolder, ...wantedPages] = process.argv.slice(2);
const folder = resolve(wantedFolder ?? join(ROOT, 'dist', 'tour'));
const isWanted = ([name]: [name: string, address: string]): boolean =>
  wantedPages.length === 0 || wantedPages.includes(name);
const built = await mkdtemp(join(tmpdir(), 'web-tour-'));
await mkdir(folder, { recursive: true });
await buildWeb(built);
const service = await startService({
  port: 0,
  webFolder: join(built, 'web'),
  organizationName: 'Juniper & Co.',
  ownerFullName: 'Elena Rossi',
  ownerPassword: TOUR_PASSWORD,
});
const browser = await launchBrowser();
try {
  if (!browser) process.exitCode = 1;
  else await photographAll(browser);
} finally {
  await browser?.close();
  await service.stop();
  await rm(built, { recursive: true });
}

async function photographAll(opened: Browser): Promise<void> {
  const { conversation, email, joinAddress, ...shown } = await fillOrganization(service);
  const pages = Object.entries({ ...pagesOf(shown), ...organizationPagesOf(shown), conversation }).filter(
    isWanted,
  );
  if (wantedPages.length === 0) await takeReadmePicture(opened, email, conversation);
  const outside = {
    'sign-in': '/login/',
    'forgotten-password': '/accounts/password/reset/',
    join: joinAddress,
  };
  for (const theme of THEMES) {
    const context = await opened.newContext({ colorScheme: theme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    for (const [name, address] of Object.entries(outside).filter(isWanted))
      await photographOutside(page, theme, name, address);
    await signedIn(page, email);
    for (const [name, hash] of pages) {
      await show(page, hash);
      await photograph(page, theme, name);
    }
    await context.close();
    await photographZoomed(opened, theme, email, pages);
  }
}

async function signedIn(page: Page, email: string): Promise<void> {
  page.setDefaultTimeout(STEP_MS);
  await page.goto(`${service.url}/login/`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(TOUR_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/** Opens a page of the client, and waits until nothing of it is on its way. */
async function show(page: Page, hash: string): Promise<void> {
  await page.goto(`${service.url}/${hash}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('[aria-busy=true]').waitFor({ state: 'hidden' });
  await page.waitForTimeout(400);
}

type Theme = (typeof THEMES)[number];

async function photograph(page: Page, theme: Theme, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.waitForTimeout(150);
    await page.screenshot({ path: join(folder, `${name}-${theme}-${size.width}.png`) });
    for (const fault of await layoutFaults(page))
      console.log(`${name}, ${theme}, ${size.width} px: ${fault}`);
  }
  console.log(`${name}, ${theme}`);
}

async function photographOutside(page: Page, theme: Theme, name: string, address: string): Promise<void> {
  await page.goto(new URL(address, service.url).href);
  await page.getByRole('textbox').first().waitFor();
  await photograph(page, theme, name);
}

async function photographZoomed(
  opened: Browser,
  theme: Theme,
  email: string,
  pages: [name: string, hash: string][],
): Promise<void> {
  const options = { colorScheme: theme, viewport: ZOOMED, deviceScaleFactor: 2 };
  const context = await opened.newContext(options);
  const page = await context.newPage();
  await signedIn(page, email);
  for (const [name, hash] of pages) {
    await show(page, hash);
    await page.screenshot({ path: join(folder, `${name}-${theme}-zoomed.png`) });
    for (const fault of await layoutFaults(page)) console.log(`${name}, ${theme}, 200 %: ${fault}`);
  }
  await context.close();
}

async function takeReadmePicture(opened: Browser, email: string, conversation: string): Promise<void> {
  const viewport = { width: 1280, height: 800 };
  const context = await opened.newContext({ colorScheme: 'light', viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signedIn(page, email);
  await show(page, conversation);
  await page.screenshot({ path: README_PICTURE });
  await context.close();
  console.log(`The picture of the README is ${README_PICTURE}`);
}
