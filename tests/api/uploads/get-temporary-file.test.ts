import { afterAll, describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { attachmentAt, getAt, upload } from './files.ts';

const MISSING = 'This file does not exist or has been deleted.';

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
afterAll(() => service.stop());

const temporary = async (client: Client, url: string): Promise<string> => {
  const { status, body } = await client.get(url);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.url;
};
const getFrom = (url: string) => getAt(url, undefined, service.url);

describe('A temporary address', () => {
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
