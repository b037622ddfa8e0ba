import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from './start-failure.ts';

/** A new secret from which API keys can be derived. */
export const newSecret = (): string => randomBytes(32).toString('hex');

/** The secret in the data folder; created at the first call, readable only by its owner. */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret');
  const created = newSecret();
  try {
    await writeFile(path, created, { flag: 'wx', mode: 0o600, flush: true });
    return created;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
  }
  const kept = (await readFile(path, 'utf8')).trim();
  // Another secret would silently invalidate all API keys.
  if (!/^[0-9a-f]{64}$/.test(kept))
    throw new StartFailure(`The file ${path} does not hold a secret of 64 hexadecimal digits.`);
  return kept;
}
