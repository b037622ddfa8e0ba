import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface OwnerAccess {
  email: string;
  apiKey: string;
  url: string;
}

/**
 * Writes `owner.zuliprc`, the file from which clients of this protocol read the account to sign in with. Its owner alone may read
 * it, and finds the old one or the new one, never a part.
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
