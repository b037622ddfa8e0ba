import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forOwnersOnly, settingRules } from '#shared/domain/organization/setting-rules.ts';
import {
  defaultOrganizationGroups,
  defaultOrganizationSettings,
} from '#shared/domain/organization/settings.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectEquation } from '#tests/harness/equation.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let owner: Client;
let [administrator, moderator, member, guest]: Client[] = [];
let channelId: number;
let privateId: number;

beforeAll(async () => {
  service = await startTestService();
  owner = service.owner;
  administrator = await service.createUser('Admin', roles.administrator);
  moderator = await service.createUser('Moderator', roles.moderator);
  member = await service.createUser('Member');
  guest = await service.createUser('Guest', roles.guest);
  channelId = await owner.subscribe('news');
  privateId = await owner.subscribe('mods', { invite_only: true });
  await service.settle();
});
afterAll(() => service.stop());

const settingNames = Object.keys(settingRules) as (keyof typeof settingRules)[];
const groupNames = Object.keys(defaultOrganizationGroups);

/** A value that the setting may have and does not have in a fresh organization, on the wire and in register. */
function another(name: keyof typeof settingRules): [sent: unknown, registered: unknown] {
  const rule = settingRules[name];
  switch (rule.kind) {
    case 'boolean':
      return [!defaultOrganizationSettings[name], !defaultOrganizationSettings[name]];
    case 'number':
      return [rule.from + 3, rule.from + 3];
    case 'channel':
      return rule.mustBePrivate ? [privateId, privateId] : [channelId, channelId];
    case 'limit':
      return ['unlimited', null];
    case 'retention':
      return [30, 30];
    case 'oneOf': {
      const value = rule.values.find((one) => one !== defaultOrganizationSettings[name]) ?? rule.values[0];
      return [value, value];
    }
    case 'text':
      return ['something', 'something'];
    case 'language':
      return ['de', 'de'];
    case 'serverUrl':
      return ['https://meet.example.com', 'https://meet.example.com'];
    case 'methods':
      return [{ Email: true }, { Email: { enabled: true, available: true } }];
  }
}

const realm = async (client: Client, name: string): Promise<unknown> =>
  (await client.register({ fetch_event_types: ['realm'] })).snapshot[`realm_${name}`];

describe('every setting of the organization', () => {
  test.each(settingNames)(
    '%s is stored, told to everybody, and what register says afterwards',
    async (name) => {
      const [sent, registered] = another(name);
      await expectEquation(service, [owner, member!, guest!], async () => {
        expect((await owner.patch('/realm', { [name]: sent })).status).toBe(200);
      });
      expect(await realm(member!, name)).toEqual(registered);
    },
  );

  test.each(groupNames)('%s names another group from then on', async (name) => {
    const value = name === 'can_access_all_users_group' ? 6 : 4;
    const needsSystemGroup = ['can_access_all_users_group', 'can_create_web_public_channel_group'];
    const wanted = needsSystemGroup.includes(name)
      ? value
      : { direct_members: [member!.userId], direct_subgroups: [value] };
    const before = await realm(owner, name);
    await expectEquation(service, [owner, member!, guest!], async () => {
      expect((await owner.patch('/realm', { [name]: { new: wanted, old: before } })).status).toBe(200);
    });
    expect(await realm(guest!, name)).toEqual(wanted);
    expect((await owner.patch('/realm', { [name]: { new: before } })).status).toBe(200);
  });
});

describe('the reply', () => {
  test('names what has another value now, and texts only as updated', async () => {
    const { body } = await owner.patch('/realm', { name: 'Kiln', digest_weekday: 4, org_type: 20 });
    expect(body).toEqual({ result: 'success', msg: '', name: 'updated', digest_weekday: 4, org_type: 20 });
    const again = await owner.patch('/realm', { name: ' Kiln ', digest_weekday: 4 });
    expect(again.body).toEqual({ result: 'success', msg: '' });
  });
});

describe('who may edit the organization', () => {
  test('nobody below administrators', async () => {
    for (const client of [moderator!, member!, guest!])
      expectRefusal(await client.patch('/realm', { name: 'Mine' }), 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
  });

  test.each([...forOwnersOnly])('%s is for owners', async (name) => {
    const value = name in settingRules ? another(name as keyof typeof settingRules)[0] : { new: 3 };
    const before = await owner.register({ fetch_event_types: ['realm'] });
    expectRefusal(await administrator!.patch('/realm', { [name]: value }), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    const after = await owner.register({ fetch_event_types: ['realm'] });
    expect(after.snapshot[`realm_${name}`]).toEqual(before.snapshot[`realm_${name}`]);
  });

  test('administrators everything else', async () => {
    expect((await administrator!.patch('/realm', { description: 'Ours' })).status).toBe(200);
    expect((await administrator!.patch('/realm', { can_create_bots_group: { new: 3 } })).status).toBe(200);
  });
});

describe('values that a setting cannot have', () => {
  test.each(settingNames)('%s refuses what is of the wrong type', async (name) => {
    const { kind } = settingRules[name];
    if (kind === 'text' || kind === 'language' || kind === 'serverUrl') return;
    for (const value of [[], 'nonsense', { a: 1 }, 1.5]) {
      const { status, body } = await owner.patch('/realm', { [name]: value });
      expect([status, body.code], JSON.stringify(body)).toEqual([400, 'BAD_REQUEST']);
    }
  });

  test.each([
    ['name', '', 'name cannot be blank'],
    ['name', '   ', 'name cannot be blank'],
    ['name', 'x'.repeat(41), 'name is too long (limit: 40 characters)'],
    ['description', 'x'.repeat(1001), 'description is too long (limit: 1000 characters)'],
    ['message_content_edit_limit_seconds', 0, "Bad value for 'message_content_edit_limit_seconds': 0"],
    ['message_retention_days', -5, "Bad value for 'message_retention_days': -5"],
    ['waiting_period_threshold', -1, 'waiting_period_threshold is too small'],
    ['digest_weekday', 7, 'Invalid digest_weekday'],
    ['topics_policy', 'whatever', 'Invalid topics_policy'],
    ['default_language', 'not a language', "Invalid language 'not a language'"],
    ['default_language', 'xx', "Invalid language 'xx'"],
    ['jitsi_server_url', 'javascript:alert(1)', 'jitsi_server_url is not a URL'],
    ['authentication_methods', { Email: false }, 'At least one authentication method must be enabled.'],
    ['authentication_methods', { LDAP: true }, 'Invalid authentication method: LDAP'],
    ['new_stream_announcements_stream_id', 999, 'Invalid channel ID'],
    ['new_stream_announcements_stream_id', 0, 'Invalid channel ID'],
    ['can_create_groups', { new: 999 }, 'Invalid user group ID: 999'],
    ['can_create_groups', 3, 'can_create_groups is not a dict'],
    [
      'can_access_all_users_group',
      { new: 4 },
      "'can_access_all_users_group' setting cannot be set to 'role:moderators' group.",
    ],
  ])('%s cannot be %j', async (name, value, msg) => {
    expectRefusal(await owner.patch('/realm', { [name]: value }), msg);
  });

  test('the channel of moderation requests must be private', async () => {
    expectRefusal(
      await owner.patch('/realm', { moderation_request_channel_id: channelId }),
      'Moderation request channel must be private.',
    );
    expect((await owner.patch('/realm', { moderation_request_channel_id: -1 })).status).toBe(200);
  });

  test('one bad value leaves everything as it was', async () => {
    const { name } = (await owner.get('/server_settings')).body;
    await owner.patch('/realm', { name: 'Half', digest_weekday: 9 });
    expect((await owner.get('/server_settings')).body.name).toBe(name);
  });

  test('a group setting that is not what the client believes stays', async () => {
    expectRefusal(
      await owner.patch('/realm', { can_create_groups: { new: 4, old: 7 } }),
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH' },
    );
  });
});

test('two edits at the same time both come true', async () => {
  const edits = [{ digest_emails_enabled: true }, { require_unique_names: false }, { org_type: 30 }];
  const replies = await Promise.all(edits.map((edit) => owner.patch('/realm', edit)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await realm(owner, 'digest_emails_enabled')).toBe(true);
  expect(await realm(owner, 'org_type')).toBe(30);
});
