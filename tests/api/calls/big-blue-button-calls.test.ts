// The operations createBigBlueButtonCall, joinBigBlueButtonCall and getBigBlueButtonCall.
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBigBlueButtonCall } from '#functions/calls/create-big-blue-button-call.ts';
import { getBigBlueButtonCall } from '#functions/calls/get-big-blue-button-call.ts';
import type { Client } from '#tests/harness/client.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const PATH = '/calls/bigbluebutton/create';
const SECRET = 'what both know';

/** The requests to the server of calls, and its answers. */
let received: URL[] = [];
let answer = '';

const server = await serveLocally((request, response) => {
  received.push(new URL(request.url ?? '', 'http://calls'));
  response.end(answer);
});
const service = await startTestService({
  bigBlueButton: { url: `${server.url}/bigbluebutton`, secret: SECRET },
});
const { owner } = service;
beforeEach(() => {
  received = [];
  answer = '<response><returncode>SUCCESS</returncode><messageKey/></response>';
});

async function newCall(voiceOnly = false): Promise<string> {
  const params = { meeting_name: 'Kiln & co', voice_only: voiceOnly };
  return (await owner.post(PATH, params)).body.url;
}
const follow = (url: string) => fetch(service.url + url, { redirect: 'manual' });

async function expectReason(call: Promise<Response>, status: number, msg: string): Promise<void> {
  const reply = await call;
  expect([reply.status, (await reply.json()).msg]).toEqual([status, msg]);
}

/** The request of an address to the server, if its check sum is right. */
function fieldsOf(url: URL, call: string): Record<string, string> {
  expect(url.pathname).toBe(`/bigbluebutton/api/${call}`);
  const [, query = '', checksum] = /^\?(.*)&checksum=(\w+)$/.exec(url.search) ?? [];
  expect(checksum).toBe(createHash('sha256').update(`${call}${query}${SECRET}`).digest('hex'));
  return Object.fromEntries(new URLSearchParams(query));
}

describe('The address of a BigBlueButton call', () => {
  test('Starts with the organization’s address, is signed, and differs for each call', async () => {
    const urls = new Set<string>();
    for (const request of [owner.post.bind(owner), owner.get.bind(owner)])
      for (const voice_only of [true, false]) {
        const { body } = await request(PATH, { meeting_name: 'general > meeting', voice_only });
        expect(body).toEqual({ result: 'success', msg: '', url: expect.any(String) });
        expect(body.url).toMatch(/^\/calls\/bigbluebutton\/join\?bigbluebutton=[\w-]+\.[\w-]{43}$/);
        urls.add(body.url);
      }
    expect(urls.size).toBe(4);
  });

  test.each([
    [{ meeting_name: '  ' }, 'meeting_name cannot be blank'],
    [{ meeting_name: 'x'.repeat(257) }, 'meeting_name is too long (limit: 256 characters)'],
  ])('Cannot be created with %j', async (params, reason) => {
    for (const reply of [await owner.post(PATH, params), await owner.get(PATH, params)])
      expectRefusal(reply, reason);
  });
});

describe('BigBlueButton as a provider of calls', () => {
  const providers = async (client: Client) =>
    (await client.register({ fetch_event_types: ['realm'] })).snapshot.realm_available_video_chat_providers;

  test('Appears in register and can be chosen', async () => {
    expect((await providers(owner)).big_blue_button).toEqual({ name: 'BigBlueButton', id: 4 });
    expect((await owner.patch('/realm', { video_chat_provider: 4 })).status).toBe(200);
  });

  test('Does not appear in a deployment without such a server', async () => {
    const without = await startTestService({ bigBlueButton: {} });
    const admin = without.owner;
    const [params, msg] = [{ meeting_name: 'x' }, 'BigBlueButton is not configured.'];
    for (const reply of [await admin.post(PATH, params), await admin.get(PATH, params)])
      expectRefusal(reply, msg);
    await expectReason(fetch(`${without.url}/calls/bigbluebutton/join?bigbluebutton=x`), 400, msg);
    expect(Object.keys(await providers(admin))).toEqual(['disabled', 'jitsi_meet']);
    expectRefusal(await admin.patch('/realm', { video_chat_provider: 4 }), 'Invalid video_chat_provider');
    await without.stop();
  });
});

describe('The address of a call', () => {
  test('Shows a browser a form for a name, and sends nothing to the server', async () => {
    const page = await follow(await newCall());
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-/);
    expect(await page.text()).toContain('name="full_name"');
    expect(received).toEqual([]);
  });

  test('Shows the form in the language that the browser accepts', async () => {
    const headers = { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' };
    const page = await fetch(service.url + (await newCall()), { headers });
    const html = await page.text();
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
    const [meetingID] = meetings;
    const created = { meetingID, name: 'Kiln & co', lockSettingsDisableCam: String(voiceOnly) };
    expect(received.map((request) => fieldsOf(request, 'create'))).toEqual([created, created]);
  });

  test('Fails if one character differs, and sends nothing to the server', async () => {
    const url = await newCall();
    const [text = '', signature = ''] = (url.split('=')[1] ?? '').split('.');
    const changed = [`${text}x.${signature}`, `${text}.${signature}x`, `${text}.${signature}.x`];
    for (const other of ['', '.', text, `${text}.`, ...changed]) {
      const join = follow(`/calls/bigbluebutton/join?bigbluebutton=${other}&full_name=Eve`);
      await expectReason(join, 400, 'Invalid signature.');
    }
    expect(received).toEqual([]);
  });

  test.each([
    ['', 'full_name cannot be blank'],
    ['x'.repeat(101), 'full_name is too long (limit: 100 characters)'],
  ])('Refuses a name like %j', async (name, msg) => {
    await expectReason(follow(`${await newCall()}&full_name=${name}`), 400, msg);
  });

  test('Reports that the server of calls refused or cannot be reached', async () => {
    const url = await newCall();
    answer = '<response><returncode>FAILED</returncode></response>';
    await expectReason(follow(`${url}&full_name=Ada`), 502, 'The BigBlueButton server refused the call.');
    const away = await startTestService();
    const { body } = await away.owner.post(PATH, { meeting_name: 'x' });
    const lost = fetch(`${away.url}${body.url}&full_name=Ada`);
    await expectReason(lost, 502, 'Error connecting to the BigBlueButton server.');
    await away.stop();
  });
});

test('The earlier GET method runs the same operation, whose tests call both', () => {
  const { route, summary, ...same } = getBigBlueButtonCall;
  expect(createBigBlueButtonCall).toMatchObject(same);
  expect(route).toBe('GET /calls/bigbluebutton/create');
});
