import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { TestZoom } from '#tests/harness/zoom.ts';

const PATH = '/calls/zoom/create';

const zoom = await new TestZoom().start();
const service = await startTestService({ zoom: zoom.app });
const member = await service.createUser('Member');
afterEach(() => {
  zoom.trouble = undefined;
  zoom.received = [];
});
afterAll(() => zoom.stop());

describe('A Zoom call', () => {
  test.each([
    [{}, true],
    [{ is_video_call: true }, true],
    [{ is_video_call: false }, false],
  ])('Belongs to the caller’s account at Zoom and starts as %j says', async (params, isVideo) => {
    const { status, body } = await member.post(PATH, params);
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', url: 'https://example.zoom.us/j/7?pwd=secret' });
    expect(zoom.received).toEqual([
      {
        path: '/oauth/token?grant_type=account_credentials&account_id=our+account',
        authorization: `Basic ${Buffer.from('our app:app secret').toString('base64')}`,
        body: undefined,
      },
      {
        path: `/v2/users/${encodeURIComponent(member.email)}/meetings`,
        authorization: 'Bearer token of an hour',
        body: { settings: { host_video: isVideo, participant_video: isVideo }, default_password: true },
      },
    ]);
  });

  test('Needs a caller whom Zoom knows', async () => {
    zoom.trouble = { at: '/users/', status: 404, body: { code: 1001, message: 'User does not exist' } };
    expectRefusal(await member.post(PATH), 'Unknown Zoom user email', { code: 'UNKNOWN_ZOOM_USER' });
  });

  test.each([
    { at: '/oauth/', status: 400, body: { reason: 'Invalid client_id or client_secret' } },
    { at: '/oauth/', status: 200, body: { token: 'no' } },
    { at: '/users/', status: 500, body: {} },
    { at: '/users/', status: 201, body: { join_url: 'javascript:alert(1)' } },
    { at: '/users/', status: 201, body: [] },
  ] as const)('Fails with a declared error when Zoom answers %j', async (trouble) => {
    zoom.trouble = trouble;
    const failed = { status: 502, code: 'BAD_GATEWAY' };
    expectRefusal(await member.post(PATH), 'Failed to create Zoom call', failed);
  });

  test('Cannot be made when the deployment has no Zoom app', async () => {
    const without = await startTestService();
    expectRefusal(await without.owner.post(PATH), 'Zoom credentials have not been configured');
    await without.stop();
  });
});

test('The organization may choose Zoom only when the deployment has a Zoom app', async () => {
  const provider = { id: 5, name: 'Zoom' };
  const { snapshot } = await member.register();
  expect(snapshot.realm_available_video_chat_providers.zoom_server_to_server).toEqual(provider);
  expect((await service.owner.patch('/realm', { video_chat_provider: 5 })).status).toBe(200);
  expect((await member.register()).snapshot.realm_video_chat_provider).toBe(5);
  const without = await startTestService();
  expectRefusal(
    await without.owner.patch('/realm', { video_chat_provider: 5 }),
    'Invalid video_chat_provider',
  );
  const { realm_available_video_chat_providers: providers } = (await without.owner.register()).snapshot;
  expect(providers).not.toHaveProperty('zoom_server_to_server');
  await without.stop();
});
