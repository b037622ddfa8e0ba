// The operations getFileUrl and getTemporaryFile.
import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { attachmentAt, getAt, textOf, upload } from './files.ts';

const MISSING = 'This file does not exist or has been deleted.';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

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

  test('Has the same security headers as the file itself', async () => {
    const url = await temporary(ada, await upload(ada, 'a.html', { type: 'text/html', content: '<p>' }));
    const { headers } = await getFrom(url);
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('Leads to no other file, and not for longer', async () => {
    const [one, other] = [await upload(ada), await upload(ada)];
    const url = await temporary(ada, one);
    const swapped = url.replace(one.slice('/user_uploads'.length), other.slice('/user_uploads'.length));
    expect(swapped).not.toBe(url);
    const longer = url.replace(/temporary\/(\d+)/, (_all, until) => `temporary/${Number(until) + 1000}`);
    for (const wrong of [swapped, longer, url.replace(/temporary\/[^/]+/, 'temporary/0-x'), `${url}x`])
      expectRefusal(await getFrom(wrong), MISSING, { status: 404 });
  });

  test('Ends with the file', async () => {
    const file = await upload(ada);
    const url = await temporary(ada, file);
    await ada.delete(`/attachments/${(await attachmentAt(ada, file)).id}`);
    expectRefusal(await getFrom(url), MISSING, { status: 404 });
  });
});
