import { describe, expect, test } from 'vitest';
import { send } from '#tests/harness/anonymous.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const settings = async () => (await send(service.url, '/server_settings')).body;

describe('Server settings', () => {
  test('Come without an account, and the same for a signed-in user', async () => {
    const anonymous = await settings();
    expect(anonymous.result).toBe('success');
    expect((await service.owner.get('/server_settings')).body).toEqual(anonymous);
  });

  test('Contain the version under both sets of names', async () => {
    const body = await settings();
    expect(body.zulip_version).toMatch(/^\d+\.\d+$/);
    expect(Number(body.zulip_version)).toBeGreaterThanOrEqual(10);
    expect(body.zulip_feature_level).toBe(512);
    for (const name of ['version', 'feature_level', 'merge_base'])
      expect(body[`service_${name}`]).toBe(body[`zulip_${name}`]);
  });

  test('Have every field that a mobile client requires', async () => {
    expect(await settings()).toEqual({
      result: 'success',
      msg: '',
      service_version: expect.any(String),
      service_feature_level: 512,
      service_merge_base: expect.any(String),
      zulip_version: expect.any(String),
      zulip_feature_level: 512,
      zulip_merge_base: expect.any(String),
      authentication_methods: expect.any(Object),
      external_authentication_methods: [],
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: service.url,
      realm_uri: service.url,
      realm_name: 'Team Chat',
      realm_icon: expect.stringMatching(/^https?:/),
      realm_description: '',
      realm_web_public_access_enabled: false,
    });
  });

  test('Offer signing in by password and by no other method', async () => {
    const { authentication_methods: methods } = await settings();
    expect(Object.keys(methods)).toEqual(
      expect.arrayContaining(['password', 'dev', 'email', 'saml', 'openid connect']),
    );
    const offered = Object.keys(methods).filter((name) => methods[name] !== false);
    expect(offered).toEqual(['password', 'email']);
  });

  test('Agree with register', async () => {
    const [body, { snapshot }] = [await settings(), await service.owner.register()];
    for (const name of ['zulip_version', 'zulip_feature_level', 'realm_name', 'realm_url'])
      expect(snapshot[name], name).toEqual(body[name]);
  });
});
