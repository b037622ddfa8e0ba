import { readdir } from 'node:fs/promises';

const STEPS = new URL('../../functions/workers/steps/', import.meta.url);

/**
 * Loads what functions load late. Within a run, loading would take as long as the machine likes, and others would go on
 * meanwhile; then the seed would not decide everything.
 */
export async function preload(): Promise<void> {
  for (const file of await readdir(STEPS)) await import(new URL(file, STEPS).href);
  await import('#shared/runtime/push-box.ts');
  await import('#shared/domain/linkifiers/engine.ts');
}
