import { describe, expect, test } from 'vitest';
import { userKeys } from '#shared/table/keys/users.ts';
import { deactivateEmoji, makeEmoji } from '#tests/api/emoji/emoji-calls.ts';
import { ping, presenceOf } from '#tests/api/presence/presences.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { listenToStatuses, PALM, say, saying, statusOf } from './statuses.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const registered = async (viewer: Client) =>
  (await viewer.register({ fetch_event_types: ['user_status'] })).snapshot.user_status;

describe('Setting the own status', () => {
  test('Notifies every user, and appears to a client that registers afterwards', async () => {
    const cy = await createUser(service, 'Cy');
    const queues = await Promise.all([cy, ada, guest, service.owner].map(listenToStatuses));
    await saying(cy, { status_text: 'out', ...PALM });
    const event = { id: expect.any(Number), type: 'user_status', user_id: cy.userId };
    for (const queue of queues)
      expect(await queue.drain()).toEqual([{ ...event, status_text: 'out', ...PALM }]);
    expect((await registered(guest))[cy.userId]).toEqual({ status_text: 'out', ...PALM });
  });

  test('Changes only the given part, and the event has only that', async () => {
    const cy = await createUser(service, 'Cy');
    await saying(cy, { status_text: 'out' });
    const queue = await listenToStatuses(ada);
    await saying(cy, PALM);
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'out', ...PALM });
    await saying(cy, { status_text: 'back soon' });
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'back soon', ...PALM });
    const about = { id: expect.any(Number), type: 'user_status', user_id: cy.userId };
    expect(await queue.drain()).toEqual([
      { ...about, ...PALM },
      { ...about, status_text: 'back soon' },
    ]);
  });

  test('Removes a part if its text is empty', async () => {
    const cy = await createUser(service, 'Cy');
    await saying(cy, { status_text: 'out', ...PALM });
    const queue = await listenToStatuses(ada);
    await saying(cy, { emoji_name: '' });
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'out' });
    await saying(cy, { status_text: '' });
    expect(await statusOf(ada, cy)).toEqual({});
    expect(await registered(ada)).not.toHaveProperty(String(cy.userId));
    expect(await queue.drain()).toMatchObject([
      { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' },
      { status_text: '' },
    ]);
  });

  test('Sends and writes nothing if nothing changes', async () => {
    const cy = await createUser(service, 'Cy');
    await saying(cy, { status_text: 'out', ...PALM });
    const queue = await listenToStatuses(ada);
    service.meter.reset();
    await saying(cy, { status_text: ' out ', ...PALM });
    await saying(cy, { status_text: 'out' });
    expect(service.meter.write).toBe(0);
    expect(await queue.drain()).toEqual([]);
  });

  test('Accepts a text of up to 60 characters, without white space around it', async () => {
    const cy = await createUser(service, 'Cy');
    await saying(cy, { status_text: `  ${'🌴'.repeat(60)}\n` });
    expect(await statusOf(ada, cy)).toEqual({ status_text: '🌴'.repeat(60) });
    expectRefusal(
      await say(cy, { status_text: 'x'.repeat(61) }),
      'status_text is too long (limit: 60 characters)',
    );
    await saying(cy, { status_text: ' \t ' });
    expect(await statusOf(ada, cy)).toEqual({});
  });

  test('Ends with a deactivation, and does not return with a reactivation', async () => {
    const cy = await createUser(service, 'Cy');
    await saying(cy, { status_text: 'out', ...PALM });
    await expectConsistentSnapshot(service, [service.owner, ada, guest], () => service.deactivate(cy));
    expect(await registered(ada)).not.toHaveProperty(String(cy.userId));
    expectRefusal(await say(cy, { status_text: 'still here' }), 'Account is deactivated', {
      status: 401,
      code: 'USER_DEACTIVATED',
    });
    await expectConsistentSnapshot(service, [service.owner, ada, guest], () =>
      service.owner.post(`/users/${cy.userId}/reactivate`),
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
    expect(await registered(ada)).not.toHaveProperty(String(cy.userId));
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
    for (const given of [{ emoji_name }, { emoji_name, emoji_code }, { emoji_name, reaction_type }]) {
      await saying(cy, given);
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
    for (const given of [{ emoji_code: '1f334' }, { reaction_type: 'unicode_emoji' }])
      expectRefusal(await say(bo, { status_text: 'changed', ...given }), msg);
  });
});

test.each([{}, { emoji_code: '1f334' }, { text: 'out' }])(
  'A status request with %j has no new value',
  async (given) => {
    expectRefusal(await say(bo, given), 'Client did not pass any new values.');
  },
);

describe('The old status `away`', () => {
  test('Mirrors the setting that hides the presence', async () => {
    const cy = await createUser(service, 'Cy');
    await ping(cy);
    const queue = await cy.register();
    expect(queue.snapshot.user_settings.presence_enabled).toBe(true);
    await saying(cy, { away: true, status_text: 'out' });
    expect(await queue.drain()).toMatchObject([
      { type: 'user_settings', op: 'update', property: 'presence_enabled', value: false },
      { type: 'presence', user_id: cy.userId },
      { type: 'user_status', user_id: cy.userId, away: true, status_text: 'out' },
    ]);
    expect((await presenceOf(ada, cy.userId)).body.presence.aggregated.status).toBe('offline');
    expect(await statusOf(ada, cy)).toEqual({ away: true, status_text: 'out' });
    await saying(cy, { away: false });
    expect((await presenceOf(ada, cy.userId)).body.presence.aggregated.status).toBe('active');
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'out' });
  });

  test('Changes nothing if it is set already', async () => {
    const cy = await createUser(service, 'Cy');
    service.meter.reset();
    await saying(cy, { away: false });
    expect(service.meter.write).toBe(0);
  });
});

test('Snapshot and events agree on statuses', async () => {
  const [cy, di] = await createUsers(service, 'Cy', 'Di');
  await saying(di, { status_text: 'out', ...PALM });
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
    for (const given of [
      emoji,
      { emoji_name },
      { emoji_name, reaction_type },
      { emoji_name, emoji_code, reaction_type },
    ]) {
      const queue = await listenToStatuses(guest);
      await saying(bo, { status_text: '', ...given });
      expect(await statusOf(guest, bo)).toEqual(emoji);
      expect(await queue.drain()).toMatchObject([{ type: 'user_status', user_id: bo.userId, ...emoji }]);
      await saying(bo, { emoji_name: '' });
    }
  });

  test('May be set for a user by an administrator', async () => {
    const emoji = await makeEmoji(ada);
    const { status } = await service.owner.post(`/users/${ada.userId}/status`, {
      emoji_name: emoji.emoji_name,
    });
    expect(status).toBe(200);
    expect(await statusOf(guest, ada)).toEqual(emoji);
  });

  test('Stays after its deactivation, and cannot be set then', proves('deactivate-emoji.8'), async () => {
    const emoji = await makeEmoji(ada);
    await saying(bo, { status_text: '', ...emoji });
    await deactivateEmoji(ada, emoji);
    expect(await statusOf(guest, bo)).toEqual(emoji);
    const { snapshot } = await guest.register({ fetch_event_types: ['user_status'] });
    expect(snapshot.user_status[bo.userId]).toEqual(emoji);
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
