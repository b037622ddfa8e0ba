import { describe, expect, test } from 'vitest';
import { createBot } from '#tests/api/bots/bots.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { pair } from '../messages/lists/message-lists.ts';

const service = await startTestService();
const ada = await createUser(service, 'Ada');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DAY_SECONDS = 24 * 3600;

describe('The reply of register', () => {
  test(
    'Always has the queue, its start, its timeouts and the versions under both names',
    proves(
      'register-queue.1',
      'register-queue.2',
      'register-queue.23',
      'register-queue.25',
      'register-queue.26',
      'register-queue.42',
    ),
    async () => {
      const { status, body } = await ada.post('/register', { fetch_event_types: [] });
      expect(status).toBe(200);
      expect(body).toEqual({
        result: 'success',
        msg: '',
        queue_id: expect.stringMatching(UUID),
        last_event_id: expect.any(Number),
        idle_queue_timeout_secs: 600,
        event_queue_longpoll_timeout_seconds: 90,
        service_version: '12.0',
        service_feature_level: 512,
        service_merge_base: '12.0',
        zulip_version: '12.0',
        zulip_feature_level: 512,
        zulip_merge_base: '12.0',
      });
    },
  );
});

describe('idle_queue_timeout', () => {
  test.each([
    [undefined, 600],
    [1, 1],
    ['mobile', DAY_SECONDS / 2],
    ['"mobile"', DAY_SECONDS / 2],
    [7 * DAY_SECONDS, 7 * DAY_SECONDS],
    [7 * DAY_SECONDS + 1, 7 * DAY_SECONDS],
    [Number.MAX_SAFE_INTEGER, 7 * DAY_SECONDS],
  ])(
    'Turns %s into a queue of %d seconds',
    proves('register-queue.15', 'register-queue.16', 'register-queue.24', 'register-queue.42'),
    async (idle_queue_timeout, seconds) => {
      const { body } = await ada.post('/register', { fetch_event_types: [], idle_queue_timeout });
      expect(body.idle_queue_timeout_secs).toBe(seconds);
    },
  );

  test.each([
    ['0', 'idle_queue_timeout is too small'],
    ['1.5', 'idle_queue_timeout is not an integer'],
    ['"600"', 'idle_queue_timeout is not an integer'],
    ['100000000000000000000', 'idle_queue_timeout is too large'],
  ])('Refuses %j', proves('register-queue.15'), async (idle_queue_timeout, msg) => {
    expectRefusal(await ada.post('/register', { fetch_event_types: [], idle_queue_timeout }), msg);
  });

  test('May have its older name, but not both', async () => {
    const params = { fetch_event_types: [], queue_lifespan_secs: 1200 };
    const { body } = await ada.post('/register', params);
    expect(body.idle_queue_timeout_secs).toBe(1200);
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
    const both = await ada.post('/register', { ...params, idle_queue_timeout: 1200 });
    const names = { var_name1: 'idle_queue_timeout', var_name2: 'queue_lifespan_secs' };
    const msg = "Can't decide between 'idle_queue_timeout' and 'queue_lifespan_secs' arguments";
    expectRefusal(both, msg, { code: 'REQUEST_CONFUSING_VAR', ...names });
  });
});

describe('A parameter of the wrong type is refused', () => {
  test.each([
    ['include_subscribers', 'maybe', 'Invalid include_subscribers'],
    ['presence_history_limit_days', 'fortnight', 'presence_history_limit_days is not valid JSON'],
    ['client_capabilities', '[]', 'client_capabilities is not a dict'],
    [
      'client_capabilities',
      '{"archived_channels":"true"}',
      'client_capabilities["archived_channels"] is not a boolean',
    ],
    ['narrow', '{}', 'narrow is not a list'],
    ['narrow', '[["is","dm"],{"operator":"is","operand":"dm"}]', 'narrow[1] is not a list'],
    ['narrow', '[["is","dm","x"]]', 'narrow[0] is too large'],
    ['narrow', '[["is"]]', 'narrow[0] is too small'],
  ])(
    '%s=%s',
    proves('register-queue.6', 'register-queue.9', 'register-queue.13', 'register-queue.17'),
    async (name, value, msg) => {
      expectRefusal(await ada.post('/register', { [name]: value }), msg);
    },
  );

  test('Unknown client capabilities are ignored', proves('register-queue.17'), async () => {
    const client_capabilities = { telepathy: true, levitation: 'sometimes', empty_topic_name: true };
    const queue = await ada.listen({ event_types: ['message'], client_capabilities });
    await ada.send(await ada.subscribe('abilities'), '', 'x');
    expect((await queue.drain()).at(-1)).toMatchObject({ message: { subject: '' } });
  });
});

describe('The narrow of a queue', () => {
  const refuse = async (narrow: [string, string][], msg: string) =>
    expectRefusal(await ada.post('/register', { narrow }), msg);

  test.each(['dm', 'has', 'search', '-channel', 'Channel', ''])('Refuses the operator %j', (operator) =>
    refuse([pair('topic', 'x'), pair(operator, 'x')], `Operator ${operator} not supported.`),
  );

  test.each(['DM', 'nonsense'])('Refuses the operand %j of is', (operand) =>
    refuse([pair('is', operand)], `Operand ${operand} not supported.`),
  );

  test('Limits the number of terms and the length of operands', async () => {
    const narrowOf = (terms: number, length: number) =>
      Array.from({ length: terms }, () => pair('topic', 'x'.repeat(length)));
    await ada.listen({ narrow: narrowOf(20, 500) });
    await refuse(narrowOf(21, 1), 'narrow has too many terms (limit: 20)');
    await refuse(narrowOf(1, 500_000), 'narrow[0][1] is too long (limit: 500 characters)');
  });
});

describe('Requesting messages of all public channels', () => {
  test('Fails for guests', async () => {
    const guest = await createUser(service, 'Guest', 600);
    const reply = await guest.post('/register', { all_public_streams: true });
    expectRefusal(reply, 'User not authorized for this query');
    expect((await guest.post('/register', { all_public_streams: false })).status).toBe(200);
  });

  test('Has no effect for a bot that has become a guest: it registers, and gets a guest’s messages', async () => {
    const bot = await createBot(ada, { default_all_public_streams: true });
    const channelId = await ada.subscribe('not for guests');
    const before = await bot.listen({ event_types: ['message'] });
    await service.setRole(bot.email, 600);
    const after = await bot.listen({ event_types: ['message'] });
    await ada.send(channelId, 'topic', 'news');
    expect(await after.drain()).toEqual([]);
    expect(await before.drain()).toEqual([]);
  });
});
