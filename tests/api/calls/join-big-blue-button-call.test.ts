import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';

const SECRET = 'what both know';

/** The requests to the server of calls, and its answers. */
let asked: URL[] = [];
let answer = '';

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/bigbluebutton`;

const server = createServer((request, response) => {
  asked.push(new URL(request.url ?? '', 'http://calls'));
  response.end(answer);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const service = await startTestService({ bigBlueButton: { url: address(), secret: SECRET } });
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  answer = '<response><returncode>SUCCESS</returncode><messageKey/></response>';
});

async function newCall(voiceOnly = false): Promise<string> {
  const params = { meeting_name: 'Kiln & co', voice_only: voiceOnly };
  const { body } = await service.owner.post('/calls/bigbluebutton/create', params);
  return body.url;
}
const follow = (url: string) => fetch(service.url + url, { redirect: 'manual' });

/** The request of an address to the server, if its check sum is right. */
function fieldsOf(url: URL, call: string): Record<string, string> {
  expect(url.pathname).toBe(`/bigbluebutton/api/${call}`);
  const [, query = '', checksum] = /^\?(.*)&checksum=(\w+)$/.exec(url.search) ?? [];
  expect(checksum).toBe(createHash('sha256').update(`${call}${query}${SECRET}`).digest('hex'));
  return Object.fromEntries(new URLSearchParams(query));
}

describe('The address of a call', () => {
  test('Shows a browser a form for a name, and sends nothing to the server', async () => {
    const page = await follow(await newCall());
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-/);
    expect(await page.text()).toContain('name="full_name"');
    expect(asked).toEqual([]);
  });

  test('Shows the form in the language that the browser accepts', async () => {
    const url = service.url + (await newCall());
    const html = await (
      await fetch(url, { headers: { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' } })
    ).text();
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain('Am Anruf teilnehmen');
  });

  test.each([
    [false, 'MODERATOR'],
    [true, 'VIEWER'],
  ])('Leads to one meeting by any name (voice only: %s)', async (voiceOnly, role) => {
    const url = await newCall(voiceOnly);
    const meetings = new Set<string | undefined>();
    for (const name of ['Ada', 'Bo & "Cy"']) {
      const reply = await follow(`${url}&full_name=${encodeURIComponent(` ${name}\n`)}`);
      expect(reply.status).toBe(302);
      const joined = fieldsOf(new URL(reply.headers.get('location') ?? ''), 'join');
      expect(joined).toEqual({ meetingID: expect.any(String), fullName: name, role });
      meetings.add(joined.meetingID);
    }
    expect(meetings.size).toBe(1);
    expect(asked.map((one) => fieldsOf(one, 'create'))).toEqual(
      [1, 2].map(() => ({
        meetingID: [...meetings][0],
        name: 'Kiln & co',
        lockSettingsDisableCam: String(voiceOnly),
      })),
    );
  });

  test('Fails if one character differs, and sends nothing to the server', async () => {
    const url = await newCall();
    const [text = '', signature = ''] = (url.split('=')[1] ?? '').split('.');
    const others = [
      '',
      '.',
      text,
      `${text}.`,
      `${text}x.${signature}`,
      `${text}.${signature}x`,
      `${text}.${signature}.x`,
    ];
    for (const other of others) {
      const reply = await follow(`/calls/bigbluebutton/join?bigbluebutton=${other}&full_name=Eve`);
      expect(reply.status, other).toBe(400);
      expect(await reply.json()).toMatchObject({ msg: 'Invalid signature.' });
    }
    expect(asked).toEqual([]);
  });

  test.each([
    ['', 'full_name cannot be blank'],
    ['x'.repeat(101), 'full_name is too long (limit: 100 characters)'],
  ])('Refuses a name like %j', async (name, msg) => {
    const reply = await follow(`${await newCall()}&full_name=${name}`);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ msg });
  });

  test('Reports that the server of calls refused or cannot be reached', async () => {
    const url = await newCall();
    answer = '<response><returncode>FAILED</returncode></response>';
    const refused = await follow(`${url}&full_name=Ada`);
    expect([refused.status, (await refused.json()).msg]).toEqual([
      502,
      'The BigBlueButton server refused the call.',
    ]);
    const away = await startTestService();
    const { body } = await away.owner.post('/calls/bigbluebutton/create', { meeting_name: 'x' });
    const lost = await fetch(`${away.url}${body.url}&full_name=Ada`);
    expect([lost.status, (await lost.json()).msg]).toEqual([
      502,
      'Error connecting to the BigBlueButton server.',
    ]);
    await away.stop();
  });
});
