import { afterAll, describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { getAt, textOf, upload } from './files.ts';

const MISSING = 'This file does not exist or has been deleted.';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterAll(() => service.stop());

const temporary = async (client: Client, url: string): Promise<string> => {
  const { status, body } = await client.get(url);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.url;
};
const getFrom = (url: string) => getAt(url, undefined, service.url);

describe('A temporary address', () => {
  test('Returns the file to anyone who has the address, for a minute', async () => {
    const file = await upload(ada, 'notes.txt', { content: 'secret plan' });
    const { clock } = service.services;
    const { nowMs } = clock;
    let atMs = clock.nowMs();
    // A slow machine would pass the last second.
    clock.nowMs = () => atMs;
    const url = await temporary(ada, file);
    expect(url).toMatch(/^\/user_uploads\/temporary\/.*notes\.txt$/);
    const reply = await getFrom(url);
    expect(reply.status).toBe(200);
    expect(textOf(reply)).toBe('secret plan');
    atMs += 60_000;
    expect((await getFrom(url)).status).toBe(200);
    atMs += 1_000;
    expectRefusal(await getFrom(url), MISSING, { status: 404 });
    clock.nowMs = nowMs;
  });

  test('Requires the right to read the file', async () => {
    const url = await upload(ada);
    expectRefusal(await bo.get(url), MISSING, { status: 404 });
    expectRefusal(await bo.get('/user_uploads/2/1-1/x/y'), MISSING, { status: 404 });
    await ada.sendDirect([bo.userId], `[here](${url})`);
    expect((await getFrom(await temporary(bo, url))).status).toBe(200);
  });
});
