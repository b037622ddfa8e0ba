import { afterAll, expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { TusClient } from './tus-client.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('The offset of an upload is returned to its owner for a day, and to no one else', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  if (!ada || !bo) throw new Error('There is no such user');
  const tus = new TusClient(ada);
  const address = await tus.at(10);
  await tus.piece(address, 0, Buffer.from('0123'));
  const reply = await tus.send('HEAD', address);
  expect(reply.status).toBe(204);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'tus-resumable': '1.0.0',
    'upload-offset': '4',
    'upload-length': '10',
    'upload-expires': expect.stringMatching(/GMT$/),
    'cache-control': 'no-store',
    'access-control-expose-headers': expect.stringContaining('Upload-Offset'),
  });
  expect((await new TusClient(bo).send('HEAD', address)).status).toBe(404);
  expect((await tus.send('HEAD', '/api/v1/tus/nothing')).status).toBe(404);
  service.advance(24 * 3600 * 1000 + 1_000);
  expect((await tus.send('HEAD', address)).status).toBe(404);
});
