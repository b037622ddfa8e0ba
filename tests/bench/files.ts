import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchService } from './service.ts';

const ROOT = `${pathToFileURL(join(import.meta.dirname, '../..'))}/`;
/** The product without the local table, in whose place functions call DynamoDB. */
const PRODUCT = /^(?:functions|shared(?!\/table\/sqlite))\//;
/** The first sends load code and fill caches. */
const WARMING = 3;

/** The files of the product that have a function which a plain message to a channel runs, from its request to its reply. */
export async function listFilesOfSend({ owner, settle }: BenchService): Promise<string[]> {
  await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'lively' }] });
  const message = { type: 'channel', to: 'lively', topic: 'bench', content: 'Hello all, see you at noon.' };
  const send = () => owner.call('POST', '/messages', message);
  for (let n = 0; n < WARMING; n++) await send();
  await settle();
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await send();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
      .map(({ url }) => url.replace(ROOT, ''))
      .filter((path) => PRODUCT.test(path))
      .sort();
  } finally {
    session.disconnect();
  }
}
