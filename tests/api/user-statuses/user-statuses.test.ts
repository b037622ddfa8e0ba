// The operations setOwnStatus, setUserStatus and getUserStatus.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { deactivateEmoji, makeEmoji } from '#tests/api/emoji/emoji-calls.ts';
import { ping, presenceOf } from '#tests/api/presence/presences.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { listenToStatuses, PALM, registeredStatuses, say, saying, statusOf } from './statuses.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

/** A person who has said this already. */
async function someoneWith(params: Params = {}): Promise<Client> {
  const someone = await createUser(service, 'Cy');
  if (Object.keys(params).length > 0) await saying(someone, params);
  return someone;
}
const OUT = { status_text: 'out', ...PALM };
const TOO_LONG = 'status_text is too long (limit: 60 characters)';

describe('Setting the own status', () => {
  test('Notifies every user, and appears to a client that registers afterwards', async () => {
    const cy = await createUser(service, 'Cy');
    const queues = await Promise.all([cy, ada, guest, service.owner].map(listenToStatuses));
    await saying(cy, OUT);
    const event = { id: expect.any(Number), type: 'user_status', user_id: cy.userId, ...OUT };
    for (const queue of queues) expect(await queue.drain()).toEqual([event]);
    expect((await registeredStatuses(guest))[cy.userId]).toEqual(OUT);
  });

  test('Changes only the given part, and the event has only that', async () => {
    const cy = await someoneWith({ status_text: 'out' });
    const queue = await listenToStatuses(ada);
    await saying(cy, PALM);
    expect(await statusOf(ada, cy)).toEqual(OUT);
    await saying(cy, { status_text: 'back soon' });
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'back soon', ...PALM });
    const about = { id: expect.any(Number), type: 'user_status', user_id: cy.userId };
    expect(await queue.drain()).toEqual([
      { ...about, ...PALM },
      { ...about, status_text: 'back soon' },
    ]);
  });

  test('Removes a part if its text is empty', async () => {
    const cy = await someoneWith(OUT);
    const queue = await listenToStatuses(ada);
    await saying(cy, { emoji_name: '' });
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'out' });
    await saying(cy, { status_text: '' });
    expect(await statusOf(ada, cy)).toEqual({});
    expect(await registeredStatuses(ada)).not.toHaveProperty(String(cy.userId));
    expect(await queue.drain()).toMatchObject([
      { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' },
      { status_text: '' },
    ]);
  });

  test('Sends and writes nothing if nothing changes', async () => {
    const cy = await someoneWith(OUT);
    const queue = await listenToStatuses(ada);
    service.meter.reset();
    for (const params of [{ ...OUT, status_text: ' out ' }, { status_text: 'out' }, { away: false }])
      await saying(cy, params);
    expect(service.meter.write).toBe(0);
    expect(await queue.drain()).toEqual([]);
  });

  test('Accepts a text of up to 60 characters, without white space around it', async () => {
    const cy = await someoneWith({ status_text: `  ${'🌴'.repeat(60)}\n` });
    expect(await statusOf(ada, cy)).toEqual({ status_text: '🌴'.repeat(60) });
    expectRefusal(await say(cy, { status_text: 'x'.repeat(61) }), TOO_LONG);
    await saying(cy, { status_text: ' \t ' });
    expect(await statusOf(ada, cy)).toEqual({});
  });

  test('Ends with a deactivation, and does not return with a reactivation', async () => {
    const cy = await someoneWith(OUT);
    const refused = { status: 401, code: 'USER_DEACTIVATED' };
    await expectConsistentSnapshot(
      service,
      [service.owner, ada, guest],
      [
        async () => {
          await service.deactivate(cy);
          expect(await registeredStatuses(ada)).not.toHaveProperty(String(cy.userId));
          expectRefusal(await say(cy, { status_text: 'still here' }), 'Account is deactivated', refused);
        },
        () => service.owner.post(`/users/${cy.userId}/reactivate`),
      ],
    );
    expect(await statusOf(ada, cy)).toEqual({});
    await service.renewKey(cy);
    await saying(cy, { status_text: 'back' });
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'back' });
  });

  test('Fails if its user is deactivated during the call', async () => {
    const cy = await createUser(service, 'Cy');
    interrupt(service, { find: reads(userKeys.status(cy.userId)) }, () => service.deactivate(cy));
    expectRefusal(await say(cy, { status_text: 'still here' }), 'User is deactivated');
    expect(await registeredStatuses(ada)).not.toHaveProperty(String(cy.userId));
    await service.owner.post(`/users/${cy.userId}/reactivate`);
    expect(await statusOf(ada, cy)).toEqual({});
  });
});

describe('The emoji of a status', () => {
  test.each([
    ['car', '1f697'],
    ['heart', '2764'],
    ['one', '0031-20e3'],
    ['man_woman_girl', '1f468-200d-1f469-200d-1f467'],
    ['+1', '1f44d'],
    ['name_of_another_list', '1f697'],
  ])('May be %s (%s)', async (emoji_name, emoji_code) => {
    const cy = await createUser(service, 'Cy');
    const emoji = { emoji_name, emoji_code, reaction_type: 'unicode_emoji' };
    await saying(cy, emoji);
    expect(await statusOf(ada, cy)).toEqual(emoji);
  });

  test('Requires only a name', async () => {
    const cy = await createUser(service, 'Cy');
    const { emoji_name, emoji_code, reaction_type } = PALM;
    for (const params of [{ emoji_name }, { emoji_name, emoji_code }, { emoji_name, reaction_type }]) {
      await saying(cy, params);
      expect(await statusOf(ada, cy)).toEqual(PALM);
      await saying(cy, { emoji_name: '' });
    }
    await saying(cy, { emoji_name: 'zulip' });
    const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' };
    expect(await statusOf(ada, cy)).toEqual(extra);
  });

  test.each([
    [{ ...PALM, emoji_code: '61' }, 'Invalid emoji code.'],
    [{ ...PALM, emoji_code: '1F334' }, 'Invalid emoji code.'],
    [{ ...PALM, emoji_code: '' }, 'Invalid emoji code.'],
    [{ emoji_name: '+1', emoji_code: '1f44d-1f3fd' }, 'Invalid emoji code.'],
    [{ ...PALM, emoji_name: 'Palm Tree' }, 'Invalid emoji name.'],
    [{ ...PALM, emoji_name: 'heart' }, 'Invalid emoji name.'],
    [{ ...PALM, emoji_name: 'x'.repeat(101) }, 'Invalid emoji name.'],
    [{ ...PALM, reaction_type: 'emoji' }, 'Invalid emoji type.'],
    [{ ...PALM, reaction_type: 'realm_emoji', emoji_code: '999999' }, 'Invalid custom emoji.'],
    [{ ...PALM, reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji code.'],
    [{ ...PALM, emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji name.'],
    [{ emoji_name: 'zulip', emoji_code: '1f334', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji code.'],
    [{ emoji_name: 'no_such_thing' }, "Emoji 'no_such_thing' does not exist"],
  ])('Cannot be %j', async (emoji, msg) => {
    await saying(bo, { status_text: 'as before', emoji_name: '' });
    expectRefusal(await say(bo, { status_text: 'changed', ...emoji }), msg);
    expect(await statusOf(ada, bo)).toEqual({ status_text: 'as before' });
  });

  test('Requires its name', async () => {
    const msg = 'Client must pass emoji_name if they pass either emoji_code or reaction_type.';
    for (const params of [{ emoji_code: '1f334' }, { reaction_type: 'unicode_emoji' }])
      expectRefusal(await say(bo, { status_text: 'changed', ...params }), msg);
  });
});

test.each([{}, { emoji_code: '1f334' }, { text: 'out' }])(
  'A status request with %j is refused',
  async (params) => {
    expectRefusal(await say(bo, params), 'Client did not pass any new values.');
  },
);

test('The old status `away` mirrors the setting that hides the presence', async () => {
  const cy = await createUser(service, 'Cy');
  await ping(cy);
  const presence = async () => (await presenceOf(ada, cy.userId)).body.presence.aggregated.status;
  const queue = await cy.register();
  expect(queue.snapshot.user_settings.presence_enabled).toBe(true);
  await saying(cy, { away: true, status_text: 'out' });
  expect(await queue.drain()).toMatchObject([
    { type: 'user_settings', op: 'update', property: 'presence_enabled', value: false },
    { type: 'presence', user_id: cy.userId },
    { type: 'user_status', user_id: cy.userId, away: true, status_text: 'out' },
  ]);
  expect(await presence()).toBe('offline');
  expect(await statusOf(ada, cy)).toEqual({ away: true, status_text: 'out' });
  await saying(cy, { away: false });
  expect(await presence()).toBe('active');
  expect(await statusOf(ada, cy)).toEqual({ status_text: 'out' });
});

test('Snapshot and events agree on statuses', async () => {
  const [cy, di] = [await someoneWith(), await someoneWith(OUT)];
  await ping(di);
  await expectConsistentSnapshot(service, [service.owner, cy, guest], async () => {
    await saying(cy, { status_text: 'in' });
    await saying(di, { emoji_name: '' });
    await saying(di, { status_text: '', away: true });
    await saying(guest, { ...PALM, away: true });
    await saying(cy, { status_text: 'out', emoji_name: 'zulip' });
    await saying(guest, { away: false });
  });
});

test('A status costs five write units', async () => {
  const cy = await createUser(service, 'Cy');
  service.meter.reset();
  await saying(cy, { status_text: 'x'.repeat(60), ...PALM });
  expect(service.meter.write).toBe(5);
});

describe('A custom emoji in a status', () => {
  test('May be given by name, code and type or by name alone', async () => {
    const emoji = await makeEmoji(ada);
    const { emoji_name, emoji_code, reaction_type } = emoji;
    for (const params of [
      { emoji_name },
      { emoji_name, reaction_type },
      { emoji_name, emoji_code, reaction_type },
    ]) {
      const queue = await listenToStatuses(guest);
      await saying(bo, { status_text: '', ...params });
      expect(await statusOf(guest, bo)).toEqual(emoji);
      expect(await queue.drain()).toMatchObject([{ type: 'user_status', user_id: bo.userId, ...emoji }]);
      await saying(bo, { emoji_name: '' });
    }
  });

  test('May be set for a user by an administrator', async () => {
    const emoji = await makeEmoji(ada);
    await service.owner.post(`/users/${ada.userId}/status`, { emoji_name: emoji.emoji_name });
    expect(await statusOf(guest, ada)).toEqual(emoji);
  });

  test('Stays after its deactivation, and cannot be set then', proves('deactivate-emoji.8'), async () => {
    const emoji = await makeEmoji(ada);
    await saying(bo, { status_text: '', ...emoji });
    await deactivateEmoji(ada, emoji);
    expect(await statusOf(guest, bo)).toEqual(emoji);
    expect((await registeredStatuses(guest))[bo.userId]).toEqual(emoji);
    expectRefusal(await say(ada, emoji), 'This custom emoji has been deactivated.');
    const { emoji_name } = emoji;
    expectRefusal(await say(ada, { emoji_name }), `Emoji '${emoji_name}' does not exist`);
  });

  test('Must have the name and code of one emoji', async () => {
    const emoji = await makeEmoji(ada);
    await saying(bo, { status_text: 'as before', emoji_name: '' });
    expectRefusal(await say(bo, { ...emoji, emoji_name: 'other' }), 'Invalid custom emoji name.');
    for (const emoji_code of ['0', '01', '999999', '1f334', 'x'.repeat(5000), ''])
      expectRefusal(await say(bo, { ...emoji, emoji_code }), 'Invalid custom emoji.');
    expectRefusal(await say(bo, { ...PALM, reaction_type: 'realm_emoji' }), 'Invalid custom emoji.');
    expect(await statusOf(ada, bo)).toEqual({ status_text: 'as before' });
  });
});

const administrator = await createUser(service, 'Administrator', roles.administrator);
const member = await createUser(service, 'Member');

const sayFor = (caller: Client, userId: unknown, params: object) =>
  caller.post(`/users/${userId}/status`, { ...params });

describe("Changing a user's status", () => {
  test('Works for administrators and owners, and notifies every user', async () => {
    const queue = await listenToStatuses(guest);
    for (const caller of [administrator, service.owner]) {
      const status_text = `by ${caller.userId}`;
      expect((await sayFor(caller, member.userId, { status_text })).status).toBe(200);
      expect(await queue.drain()).toMatchObject([{ user_id: member.userId, status_text }]);
    }
    expect((await sayFor(administrator, service.owner.userId, { status_text: 'owner' })).status).toBe(200);
  });

  test('Requires the same parameters as the own status', async () => {
    const call = (params: object) => sayFor(administrator, member.userId, params);
    expectRefusal(await call({}), 'Client did not pass any new values.');
    expectRefusal(await call({ ...PALM, emoji_code: 'x' }), 'Invalid emoji code.');
    expectRefusal(await call({ status_text: 'x'.repeat(61) }), TOO_LONG);
    const { body } = await call({ ...PALM, away: true });
    expect(body.ignored_parameters_unsupported).toEqual(['away']);
    expect(await statusOf(guest, member)).not.toHaveProperty('away');
  });
});

describe('The status of a user', () => {
  test('Has the set fields, and starts empty', async () => {
    const cy = await createUser(service, 'Cy');
    expect(await statusOf(ada, cy)).toEqual({});
    await saying(cy, { ...OUT, away: true });
    expect(await statusOf(ada, cy)).toEqual({ ...OUT, away: true });
  });

  test('Can neither be read nor set for missing users, bots and deactivated users', async () => {
    const gone = await someoneWith({ status_text: 'bye' });
    await service.deactivate(gone);
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, administrator);
    const get = (userId: unknown) => administrator.get(`/users/${userId}/status`);
    const set = (userId: unknown) => sayFor(administrator, userId, { status_text: 'x' });
    for (const call of [get, set]) {
      expectRefusal(await call(gone.userId), 'User is deactivated');
      for (const userId of [bot.userId, 999_999, 0, -1, '2147483648'])
        expectRefusal(await call(userId), 'No such user');
    }
  });
});
