import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import chromiumOfNpm from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** A browser of the system, named by CHROMIUM_PATH or found on the PATH. */
function findInstalled(): string | undefined {
  const { CHROMIUM_PATH: named, PATH = '' } = process.env;
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return named || places.find(existsSync);
}

/** A browser of the system, or the one inside the npm package; undefined, with a message, if neither runs. */
export async function launchBrowser(): Promise<Browser | undefined> {
  try {
    const executablePath = findInstalled() ?? (await chromiumOfNpm.executablePath());
    // Under another name than that of this machine, a page without TLS is not secure.
    const names = '--host-resolver-rules=MAP chat.example 127.0.0.1';
    const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', names];
    return await chromium.launch({ executablePath, args, timeout: 120_000 });
  } catch (failure) {
    console.warn(`SKIPPED: no browser runs here, so nothing of the web client was tested in one. ${failure}`);
    return undefined;
  }
}
