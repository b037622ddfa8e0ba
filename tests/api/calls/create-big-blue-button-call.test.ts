import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const PATH = '/calls/bigbluebutton/create';

const service = await startTestService();
const member = await service.createUser('Member');

describe('The address of a BigBlueButton call', () => {
  test('Starts with the organization’s address, is signed, and differs for each call', async () => {
    const urls = new Set<string>();
    for (const request of [member.post.bind(member), member.get.bind(member)])
      for (const voice_only of [true, false]) {
        const { status, body } = await request(PATH, { meeting_name: 'general > meeting', voice_only });
        expect(status).toBe(200);
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
    for (const reply of [await member.post(PATH, params), await member.get(PATH, params)])
      expectRefusal(reply, reason);
  });
});

describe('BigBlueButton as a provider of calls', () => {
  const providers = async (client: Client) =>
    (await client.register({ fetch_event_types: ['realm'] })).snapshot.realm_available_video_chat_providers;

  test('Appears in register and can be chosen', async () => {
    expect((await providers(member)).big_blue_button).toEqual({ name: 'BigBlueButton', id: 4 });
    expect((await service.owner.patch('/realm', { video_chat_provider: 4 })).status).toBe(200);
  });

  test('Does not appear in a deployment without such a server', async () => {
    const without = await startTestService({ bigBlueButton: {} });
    const { owner } = without;
    for (const reply of [
      await owner.post(PATH, { meeting_name: 'x' }),
      await owner.get(PATH, { meeting_name: 'x' }),
    ])
      expectRefusal(reply, 'BigBlueButton is not configured.');
    const joining = await fetch(`${without.url}/calls/bigbluebutton/join?bigbluebutton=x`);
    expect(joining.status).toBe(400);
    expect(await joining.json()).toMatchObject({ msg: 'BigBlueButton is not configured.' });
    expect(Object.keys(await providers(owner))).toEqual(['disabled', 'jitsi_meet']);
    expectRefusal(await owner.patch('/realm', { video_chat_provider: 4 }), 'Invalid video_chat_provider');
    await without.stop();
  });
});
