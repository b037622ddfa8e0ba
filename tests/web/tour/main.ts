import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readCommandLine, refuseCall } from '#infra/command-line.ts';
import { launchBrowser } from '../browser/launch.ts';
import { layoutFaults } from '../browser/layout.ts';
import { organizationPagesOf, pagesOf } from '../pages.ts';
import { fillOrganization, TOUR_PASSWORD } from './organization.ts';

const HELP = `Usage: npm run tour:web [-- <folder> [<page>…]]

Takes pictures of the pages of the web client in both themes, at four widths and at 200 %, and reports overflowing parts.
Without names of pages it takes all of them, and the README's docs/picture.png. Ends with status 1 if a page shows
nothing, or no browser runs.

Arguments:
  <folder>  the destination of the pictures (dist/tour)
  <page>    a page by its name: conversation, sign-in, or another of tests/web/pages.ts

Options:
  --help    print this text

Example:
  npm run tour:web -- dist/tour groups group`;

const ROOT = join(import.meta.dirname, '..', '..', '..');
const README_PICTURE = join(ROOT, 'docs', 'picture.png');
const STEP_MS = 20_000;
const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
/** The size of a window of 1 280 px at 200 %. */
const ZOOMED = { width: 640, height: 400 };

/** The pages that are visible without signing in, by name. */
const OUTSIDE = { 'sign-in': '/login/', 'forgotten-password': '/accounts/password/reset/', join: '' };

const { positionals } = readCommandLine(HELP, { mostWords: Number.POSITIVE_INFINITY });
const [wantedFolder, ...wantedPages] = positionals;
const anyPerson = { userId: 0, botId: 0, channelId: 0, groupId: 0 };
const known = { ...pagesOf(anyPerson), ...organizationPagesOf(anyPerson), ...OUTSIDE, conversation: '' };
const unknown = wantedPages.find((name) => !(name in known));
if (unknown !== undefined)
  refuseCall(`There is no page ${unknown}; its name is one of ${Object.keys(known).join(', ')}.`);
const folder = resolve(wantedFolder ?? join(ROOT, 'dist', 'tour'));
const isWanted = ([name]: [name: string, address: string]): boolean =>
  wantedPages.length === 0 || wantedPages.includes(name);
// Loaded on demand, because the service is much code.
const [{ startService }, { buildWeb }] = await Promise.all([
  import('#infra/local/start.ts'),
  import('#infra/web/build.ts'),
]);
const built = await mkdtemp(join(tmpdir(), 'web-tour-'));
await mkdir(folder, { recursive: true });
await buildWeb(built);
const service = await startService({
  port: 0,
  webFolder: join(built, 'web'),
  organizationName: 'Juniper & Co.',
  ownerFullName: 'Elena Rossi',
  ownerPassword: TOUR_PASSWORD,
  requestsPerMinute: 1_000_000,
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
  const outside = { ...OUTSIDE, join: joinAddress };
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
  await page.getByLabel('Email').fill(email);
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
