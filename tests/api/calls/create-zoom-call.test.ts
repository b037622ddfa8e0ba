import { afterEach, describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
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
});

const providersOf = async (client: Client) =>
  (await client.register({ fetch_event_types: ['realm'] })).snapshot.realm_available_video_chat_providers;

test('The organization may choose Zoom if the deployment has a Zoom app', async () => {
  expect((await providersOf(member)).zoom_server_to_server).toEqual({ id: 5, name: 'Zoom' });
  expect((await service.owner.patch('/realm', { video_chat_provider: 5 })).status).toBe(200);
  expect((await member.register()).snapshot.realm_video_chat_provider).toBe(5);
});

test('A deployment without a Zoom app has no Zoom calls, and the organization cannot choose them', async () => {
  const { owner } = await startTestService();
  expectRefusal(await owner.post(PATH), 'Zoom credentials have not been configured');
  expectRefusal(await owner.patch('/realm', { video_chat_provider: 5 }), 'Invalid video_chat_provider');
  expect(await providersOf(owner)).not.toHaveProperty('zoom_server_to_server');
});
