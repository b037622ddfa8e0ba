import { isUpToDate } from '#infra/build/built-from.ts';
import { RECORD } from './built.ts';

/** Bundles the local service, unless the existing bundle was made from the sources as they are now. */
export async function ensureLocalBuilt(): Promise<void> {
  if (await isUpToDate(RECORD)) return;
  // Loaded only now, since the bundler takes longer to load than everything else here.
  const { buildLocal } = await import('./build.ts');
  await buildLocal();
}
