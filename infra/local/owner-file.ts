import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface OwnerAccess {
  email: string;
  apiKey: string;
  url: string;
}

/** Writes `owner.zuliprc`, the file from which clients of this protocol read whom to sign in as. */
export async function writeOwnerFile(dataDir: string, { email, apiKey, url }: OwnerAccess): Promise<string> {
  const path = join(dataDir, 'owner.zuliprc');
  await writeFile(path, `[api]\nemail=${email}\nkey=${apiKey}\nsite=${url}\n`, { mode: 0o600 });
  // The mode above counts only for a file that did not exist.
  await chmod(path, 0o600);
  return path;
}
