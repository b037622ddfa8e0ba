import { afterAll, describe, expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { TusClient } from './tus-client.ts';

const MEBIBYTE = 1024 * 1024;
const _DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const [ada, _bo] = await createUsers(service, 'Ada', 'Bo');
const tus = new TusClient(ada);
afterAll(() => service.stop());

const spaceUsed = async (client = ada): Promise<number> =>
  (await client.get('/attachments')).body.upload_space_used;
/** A file as its readers get it, wherever the service sends them. */
async function _load(client: Client, url: string, headers: Record<string, string> = {}) {
  const first = await sendTo(client.url + url, {
    headers: { authorization: client.authorization, ...headers },
  });
  const address = first.headers.get('location');
  return first.status === 302 && address ? sendTo(address, { headers }) : first;
}

describe('The quota of a resumable upload', () => {
  test('Counts from its announcement on, and returns when it is abandoned', async () => {
    const before = await spaceUsed();
    const address = await tus.at(7 * MEBIBYTE);
    await tus.piece(address, 0, new Uint8Array(MEBIBYTE));
    expect(await spaceUsed()).toBe(before + 7 * MEBIBYTE);
    const gone = await tus.send('DELETE', address);
    expect(gone.status).toBe(204);
    expect(await spaceUsed()).toBe(before);
    await service.settle();
    expect((await tus.piece(address, MEBIBYTE, new Uint8Array(1))).status).toBe(404);
  });
});
