import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '#infra/web/build.ts';
import { launchBrowser } from '#tests/web/browser/launch.ts';
import type { Row } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';
import { measureEvents } from './busy.ts';
import { measureLoads } from './loads.ts';
import { byteRow } from './measured.ts';
import { foundOrganization, type Organization } from './organization.ts';
import { takeNotes } from './probe.ts';
import { measureScrolling } from './scrolling.ts';
import { measureSwitches } from './switches.ts';

const FIRST_SCRIPT_BYTES = 120_000;
const WAIT_MS = 60_000;

/** How fast the web client is in a real browser, in an organization of 1 000 people, 200 channels and 100 000 messages. */
export async function measureWeb(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'web-bench-'));
  const { firstScriptBytes } = await buildWeb(folder);
  const service = await startBenchService({ webFolder: join(folder, 'web'), pushesOwn: true });
  try {
    const organization = await foundOrganization(service);
    return [
      byteRow('scripts before the feed, compressed', firstScriptBytes, FIRST_SCRIPT_BYTES),
      ...(await measureInBrowser(service, organization)),
    ];
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measureInBrowser(service: BenchService, organization: Organization): Promise<Row[]> {
  const browser = await launchBrowser();
  if (!browser) throw new Error('No browser runs here.');
  try {
    const measured = { service, organization, open: await openAs(browser, service, organization) };
    return [
      ...(await measureLoads(measured)),
      await measureSwitches(measured),
      ...(await measureEvents(measured)),
      ...(await measureScrolling(measured)),
    ];
  } finally {
    await browser.close();
  }
}

/** Signs the viewer in; returns a function that opens a page of theirs with an empty browser cache. */
async function openAs(
  browser: Browser,
  service: BenchService,
  organization: Organization,
): Promise<() => Promise<Page>> {
  const cookies = await signIn(browser, service, organization);
  return async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(WAIT_MS);
    await context.addCookies(cookies);
    await context.addInitScript(takeNotes);
    return context.newPage();
  };
}

async function signIn(browser: Browser, { url }: BenchService, { signInToken: token }: Organization) {
  const context = await browser.newContext();
  const reply = await context.request.post(`${url}/api/v1/session`, {
    form: { token },
    headers: { origin: url },
  });
  if (!reply.ok()) throw new Error(`Not signed in: ${await reply.text()}`);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}
