import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from './start-failure.ts';

export interface OwnerAccess {
  email: string;
  apiKey: string;
  url: string;
}

/**
 * Writes `owner.zuliprc`, from which clients of this protocol read the account to sign in with. Only its
 * owner may read it; it is replaced atomically.
 */
export async function writeOwnerFile(dataDir: string, { email, apiKey, url }: OwnerAccess): Promise<string> {
  const path = join(dataDir, 'owner.zuliprc');
  const written = `${path}.${randomUUID()}`;
  await writeFile(written, `[api]\nemail=${email}\nkey=${apiKey}\nsite=${url}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  await rename(written, path);
  return path;
}

/** Reads the file of `writeOwnerFile`, without the key. @throws StartFailure if no service has written it */
export async function readOwnerFile(dataDir: string): Promise<Omit<OwnerAccess, 'apiKey'>> {
  const text = await readFile(join(dataDir, 'owner.zuliprc'), 'utf8').catch(() => '');
  const [, email] = /^email=(.+)$/m.exec(text) ?? [];
  const [, url] = /^site=(.+)$/m.exec(text) ?? [];
  if (!email || !url)
    throw new StartFailure(
      `No service has started in the folder ${dataDir}: npm start does, or name another by DATA_DIR.`,
    );
  return { email, url };
}
