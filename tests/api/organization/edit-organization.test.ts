import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { forOwnersOnly, settingRules } from '#shared/domain/organization/setting-rules.ts';
import {
  defaultOrganizationGroups,
  defaultOrganizationSettings,
} from '#shared/domain/organization/settings.ts';
import { createRoles } from '#tests/api/users/accounts.ts';
import type { Client, Params, ReceivedEvent } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService();
const { owner, administrator, member, guest } = await createRoles(service);
const channelId = await owner.subscribe('news');
const privateId = await owner.subscribe('mods', { invite_only: true });
await service.settle();

const settingNames = Object.keys(settingRules) as (keyof typeof settingRules)[];
/** The last of them hides people from guests. */
const groupNames = Object.keys(defaultOrganizationGroups).reverse();

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
      const initial = defaultOrganizationSettings[name];
      const value = rule.values.find((possible) => possible !== initial) ?? rule.values[0];
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

/** The value of a setting in a fresh organization, in the form of a request. */
const defaultsOnTheWire: Record<string, unknown> = {
  ...defaultOrganizationSettings,
  jitsi_server_url: 'default',
  description: '',
};

/** One method is offered, so that there is no other value to have. */
const ONLY_METHODS = 'authentication_methods';

/** The settings that events name, with their values. */
const toldBy = (events: ReceivedEvent[]): Record<string, unknown> =>
  Object.assign({}, ...events.map(({ data, property, value }) => data ?? { [property]: value }));

const realmOf = async (client: Client, names: Iterable<string>): Promise<Record<string, unknown>> => {
  const { snapshot } = await client.register({ fetch_event_types: ['realm'] });
  return Object.fromEntries([...names].map((name) => [name, snapshot[`realm_${name}`]]));
};

describe('Every setting of the organization', () => {
  test('Can be stored, is sent to every user, and equals register afterwards', async () => {
    const before = await realmOf(member, settingNames);
    const queue = await guest.listen();
    await expectConsistentSnapshot(service, [owner, member, guest], async () => {
      for (const name of settingNames) {
        const [sent, registered] = another(name);
        const isOther = name !== ONLY_METHODS;
        expect(isDeepStrictEqual(before[name], registered), name).toBe(!isOther);
        expect((await owner.patch('/realm', { [name]: sent })).status, name).toBe(200);
        expect(toldBy(await queue.drain())[name], name).toEqual(isOther ? registered : undefined);
      }
    });
    const registered = settingNames.map((name) => [name, another(name)[1]]);
    expect(await realmOf(member, settingNames)).toEqual(Object.fromEntries(registered));
  });

  test('Can be set to another group if it names one', async () => {
    const needsSystemGroup = ['can_access_all_users_group', 'can_create_web_public_channel_group'];
    const wanted = Object.fromEntries(
      groupNames.map((name) => {
        const value = name === 'can_access_all_users_group' ? 6 : 4;
        const anonymous = { direct_members: [member.userId], direct_subgroups: [value] };
        return [name, needsSystemGroup.includes(name) ? value : anonymous];
      }),
    );
    const before = await realmOf(owner, groupNames);
    await expectConsistentSnapshot(service, [owner, member, guest], async () => {
      for (const name of groupNames) {
        const { status } = await owner.patch('/realm', { [name]: { new: wanted[name], old: before[name] } });
        expect(status, name).toBe(200);
      }
    });
    expect(await realmOf(guest, groupNames)).toEqual(wanted);
    const back = Object.fromEntries(groupNames.map((name) => [name, { new: before[name] }]));
    expect((await owner.patch('/realm', back)).status).toBe(200);
    expect(await realmOf(guest, groupNames)).toEqual(before);
  });
});

test.each(['can_access_all_users_group', 'can_create_web_public_channel_group'])(
  '%s names a system group, and nothing else',
  async (name) => {
    const before = await realmOf(owner, [name]);
    const anonymous = { direct_members: [member.userId], direct_subgroups: [] };
    const reply = await owner.patch('/realm', { [name]: { new: anonymous } });
    const refusal = { code: 'SYSTEM_GROUP_REQUIRED', setting_name: name };
    expectRefusal(reply, `'${name}' must be a system user group.`, refusal);
    expect(await realmOf(owner, [name])).toEqual(before);
  },
);

test('A change of who may create channels leaves deprecated numbers out of the event', async () => {
  const queue = await owner.listen({ event_types: ['realm'] });
  const names = ['can_create_public_channel_group', 'can_create_private_channel_group'];
  for (const name of names) await owner.patch('/realm', { [name]: { new: 4 } });
  expect((await queue.drain()).map(({ data }) => data)).toEqual(names.map((name) => ({ [name]: 4 })));
  for (const name of names) await owner.patch('/realm', { [name]: { new: 6 } });
});

describe('The reply of an edit', () => {
  test('Names the changed settings, and texts only as updated', async () => {
    const { body } = await owner.patch('/realm', { name: 'Kiln', digest_weekday: 4, org_type: 20 });
    expect(body).toEqual({ result: 'success', msg: '', name: 'updated', digest_weekday: 4, org_type: 20 });
    const again = await owner.patch('/realm', { name: ' Kiln ', digest_weekday: 4 });
    expect(again.body).toEqual({ result: 'success', msg: '' });
  });
});

describe('The right to edit the organization', () => {
  test('Requires an owner for some settings', async () => {
    const before = await realmOf(owner, forOwnersOnly);
    for (const name of forOwnersOnly) {
      const value = name in settingRules ? another(name as keyof typeof settingRules)[0] : { new: 3 };
      const reply = await administrator.patch('/realm', { [name]: value });
      expect(reply.status, name).toBe(400);
      expectRefusal(reply, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
    }
    expect(await realmOf(owner, forOwnersOnly)).toEqual(before);
  });

  test('Belongs to administrators for everything else', async () => {
    const wanted: Record<string, unknown> = { description: 'Ours' };
    for (const name of settingNames) if (!forOwnersOnly.has(name)) wanted[name] = another(name)[1];
    const back = Object.keys(wanted).map((name) => [name, defaultsOnTheWire[name]]);
    await owner.patch('/realm', Object.fromEntries(back));
    for (const [name, value] of Object.entries(wanted))
      await administrator.patch('/realm', { [name]: value ?? 'unlimited' });
    await administrator.patch('/realm', { can_create_bots_group: { new: 3 } });
    const edited = { ...wanted, can_create_bots_group: 3 };
    expect(await realmOf(member, Object.keys(edited))).toEqual(edited);
  });
});

describe('Invalid values of a setting', () => {
  test.each(settingNames)('Leave %s unchanged', async (name) => {
    const rule = settingRules[name];
    const before = await realmOf(owner, [name]);
    // Every value is a text on the wire, so that a text can only be too long.
    const wrong = rule.kind === 'text' ? ['x'.repeat(rule.maxLength + 1)] : [[], 'nonsense', { a: 1 }, 1.5];
    for (const value of wrong) {
      const { status, body } = await owner.patch('/realm', { [name]: value });
      expect([status, body.code], JSON.stringify(body)).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await realmOf(owner, [name])).toEqual(before);
  });

  const NOT_MODERATORS = "'can_access_all_users_group' setting cannot be set to 'role:moderators' group.";
  test.each([
    ['name', '', 'name cannot be blank'],
    ['name', 'x'.repeat(41), 'name is too long (limit: 40 characters)'],
    ['description', 'x'.repeat(1001), 'description is too long (limit: 1000 characters)'],
    ['message_content_edit_limit_seconds', 0, "Bad value for 'message_content_edit_limit_seconds': 0"],
    ['message_retention_days', -5, "Bad value for 'message_retention_days': -5"],
    ['waiting_period_threshold', -1, 'waiting_period_threshold is too small'],
    ['digest_weekday', 7, 'Invalid digest_weekday'],
    ['topics_policy', 'whatever', 'Invalid topics_policy'],
    ['default_language', 'not a language', "Invalid language 'not a language'"],
    ['jitsi_server_url', 'javascript:alert(1)', 'jitsi_server_url is not a URL'],
    ['authentication_methods', { Email: false }, 'At least one authentication method must be enabled.'],
    ['authentication_methods', { LDAP: true }, 'Invalid authentication method: LDAP'],
    ['new_stream_announcements_stream_id', 999, 'Invalid channel ID'],
    ['can_create_groups', { new: 999 }, 'Invalid user group ID: 999'],
    ['can_access_all_users_group', { new: 4 }, NOT_MODERATORS],
  ])('Include %s as %j', async (name, value, msg) => {
    expectRefusal(await owner.patch('/realm', { [name]: value }), msg);
  });

  test('Include a public channel for moderation requests', async () => {
    const reply = await owner.patch('/realm', { moderation_request_channel_id: channelId });
    expectRefusal(reply, 'Moderation request channel must be private.');
    expect((await owner.patch('/realm', { moderation_request_channel_id: -1 })).status).toBe(200);
  });

  test('Prevent all other changes of the request', async () => {
    const { name } = (await owner.get('/server_settings')).body;
    await owner.patch('/realm', { name: 'Half', digest_weekday: 9 });
    expect((await owner.get('/server_settings')).body.name).toBe(name);
  });

  test('Include a group setting whose current value differs from the client’s', async () => {
    const reply = await owner.patch('/realm', { can_create_groups: { new: 4, old: 7 } });
    const msg = "'old' value does not match the expected value.";
    expectRefusal(reply, msg, { code: 'EXPECTATION_MISMATCH' });
  });
});

test('Two simultaneous edits both apply', async () => {
  const edits = [{ digest_emails_enabled: true }, { require_unique_names: false }, { org_type: 30 }];
  const replies = await Promise.all(edits.map((edit) => owner.patch('/realm', edit)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const expected = { digest_emails_enabled: true, org_type: 30 };
  expect(await realmOf(owner, Object.keys(expected))).toEqual(expected);
});

test('A waiting period that has passed costs the same as none', async () => {
  const { waiting_period_threshold } = await realmOf(owner, ['waiting_period_threshold']);
  const costOf = async (params: Params) => {
    await service.rest();
    return unitsOf(service, async () => expect((await owner.patch('/realm', params)).status).toBe(200));
  };
  const alone = await costOf({ name: 'One' });
  expect(await costOf({ name: 'Two', waiting_period_threshold })).toEqual(alone);
});
