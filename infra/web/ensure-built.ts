import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isUpToDate } from '#infra/build/built-from.ts';
import { DIST, WEB_RECORD } from './built.ts';

/** Builds the web client, unless the existing one was built from the sources as they are now. */
export async function ensureWebBuilt(): Promise<void> {
  if (existsSync(join(DIST, 'web/manifest.json')) && (await isUpToDate(WEB_RECORD))) return;
  // Loaded only now, since the bundler takes longer to load than everything else here.
  const { buildRecordedWeb } = await import('./build.ts');
  await buildRecordedWeb();
}
