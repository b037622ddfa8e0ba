// The operations createLinkifier, editLinkifier, deleteLinkifier, listLinkifiers and reorderLinkifiers.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { clear, create, ISSUE, KNOWS, list, make } from './linkifier-calls.ts';

const service = await startTestService();
const { owner } = service;
const guest = await createUser(service, 'Guest', roles.guest);
afterEach(() => clear(owner));

const TAKEN = 'A linkifier with this pattern already exists.';

describe('Creating a linkifier', () => {
  test('Adds it after the others, and every user may list it', async () => {
    const first = await make(owner);
    const ticket = { pattern: 'T-(?P<n>[0-9]+)', url_template: 'https://example.com/t/{n}' };
    const extras = {
      example_input: 'T-15',
      reverse_template: 'T-{n}',
      alternative_url_templates: ['https://example.org/{n}'],
    };
    const spaced = { pattern: ` ${ticket.pattern} `, url_template: ` ${ticket.url_template} ` };
    const second = await make(owner, { ...spaced, ...extras });
    expect(second).toBeGreaterThan(first);
    expect(await list(guest)).toEqual([
      { id: first, ...ISSUE, example_input: null, reverse_template: null, alternative_url_templates: [] },
      { id: second, ...ticket, ...extras },
    ]);
  });

  test('Notifies every user whose client supports URL templates, and no other', async () => {
    const queues = await Promise.all([
      owner.listen(KNOWS),
      guest.listen(KNOWS),
      guest.listen(),
      guest.listen({ client_capabilities: { linkifier_url_template: false } }),
    ]);
    await make(owner);
    const event = { id: expect.any(Number), type: 'realm_linkifiers', realm_linkifiers: await list(owner) };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Keeps snapshot and events equal', async () => {
    const capable = { linkifier_url_template: true };
    const change = async () => {
      const [first, second] = [await make(owner), await make(owner, { ...ISSUE, pattern: 'a(?P<id>b)' })];
      await owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [second, first] });
      await owner.patch(`/realm/filters/${first}`, { ...ISSUE, pattern: '~(?P<id>b)' });
      await owner.delete(`/realm/filters/${second}`);
    };
    await expectConsistentSnapshot(service, [owner, guest], change, capable);
    await clear(owner);
    await expectConsistentSnapshot(service, [owner, guest], change);
  });
});

test('A new linkifier costs 7 write units', async () => {
  await service.settle();
  service.meter.reset();
  await make(owner);
  expect(service.meter.write).toBe(7);
});

describe('A linkifier is refused', () => {
  test.each([
    ['(a', 'missing closing ): `(a`'],
    ['a)(b', 'unexpected ): `a)(b`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{2000}', 'invalid repeat count: `{2000}`'],
    ['((a{40}){40}){40}', 'invalid repeat count: `{40}`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?P<id>a)\\1', 'invalid escape sequence: `\\1`'],
    ['(?P<id>a)(?P<id>b)', 'duplicate capture group name: `id`'],
  ])('If its pattern is %j', async (pattern, reason) => {
    expectRefusal(await create(owner, { ...ISSUE, pattern }), `Bad regular expression: ${reason}`);
  });

  test('If the end of its pattern leaves a group or class open', async () => {
    const { status, body } = await create(owner, { pattern: '\\Qabc', url_template: 'https://example.com' });
    expect([status, body.msg]).toEqual([400, expect.stringMatching(/^Bad regular expression: /)]);
  });

  test.each([
    'example.com/{id}',
    '/issues/{id}',
    'javascript:alert({id})',
    'https:///{id}',
    'ftp://example.com/{id}',
    '{+id}',
    'https://example.com/{id',
    'https://example.com/id}',
    'https://example.com/{}',
    'https://example.com/{id!}',
    'https://example.com/{i d}',
    'https://example.com/"onclick={id}',
    'https://example.com/<{id}>',
    'https://example.com/a b/{id}',
  ])('If its template is %j', async (url_template) => {
    expectRefusal(await create(owner, { ...ISSUE, url_template }), 'Invalid URL template.');
  });

  test('If another one has its pattern', async () => {
    await make(owner);
    expectRefusal(await create(owner), TAKEN);
  });

  const missing = (group: string) => `Group '${group}' in URL template is not present in linkifier pattern.`;
  const long = 'x'.repeat(1_001);
  test.each<[Params, string]>([
    [{ pattern: '  ' }, 'pattern cannot be blank'],
    [{ url_template: '' }, 'url_template cannot be blank'],
    [{ url_template: 'https://example.com/{id}/{b}/{a}' }, missing('a')],
    [
      { pattern: '(?P<id>a)(?P<z>b)(?P<y>c)' },
      "Group 'y' in linkifier pattern is not present in URL template.",
    ],
    [{ example_input: '#x' }, 'The example input does not match the linkifier pattern.'],
    [{ reverse_template: '#{id}' }, 'An example input is required for a reverse template.'],
    [{ example_input: '#1', reverse_template: '#{number}' }, missing('number')],
    [{ example_input: '#1', reverse_template: '#{id' }, 'Invalid reverse template.'],
    [{ alternative_url_templates: ['nowhere/{id}'] }, 'Invalid URL template.'],
    [{ alternative_url_templates: ['https://a.b/{x}'] }, missing('x')],
    [{ pattern: long }, 'pattern is too long (limit: 1000 characters)'],
    [{ url_template: `https://a.b/{id}${long}` }, 'URL template is too long (limit: 1000 characters)'],
    [{ example_input: `#1 ${long}` }, 'example_input is too long (limit: 1000 characters)'],
  ])('With %j', async (values, message) => {
    expectRefusal(await create(owner, { ...ISSUE, ...values }), message);
    expect(await list(owner)).toEqual([]);
  });

  test('If all linkifiers together would take too long to match or to list', async () => {
    const message = 'The linkifier patterns are too complex together.';
    expectRefusal(await create(owner, { ...ISSUE, pattern: '(?P<id>\\pL{1000})b{100}' }), message);
    for (const letter of ['a', 'b']) await make(owner, { ...ISSUE, pattern: `(?P<id>${letter}{450})` });
    expectRefusal(await create(owner, { ...ISSUE, pattern: '(?P<id>c{450})' }), message);
    await clear(owner);
    const alternative_url_templates = Array.from({ length: 101 }, () => `https://a.b/${'x'.repeat(980)}`);
    const large = await create(owner, { ...ISSUE, alternative_url_templates });
    expectRefusal(large, 'The linkifiers are too long together.');
    expect(await list(owner)).toEqual([]);
  });
});

describe('Editing a linkifier', () => {
  let id: number;
  let other: number;
  beforeEach(async () => {
    id = await make(owner, { ...ISSUE, example_input: '#1', reverse_template: '#{id}' });
    other = await make(owner, { ...ISSUE, pattern: 'b(?P<id>c)' });
  });

  const edit = (params: Params, filterId = id) => owner.patch(`/realm/filters/${filterId}`, params);
  const TICKET = { pattern: '#?T(?P<n>[0-9]+)', url_template: 'https://example.org/{n}' };

  test('Keeps its place and other fields, and the event has the whole list', async () => {
    const queue = await owner.listen(KNOWS);
    const url_template = 'https://example.org/{id}';
    expect((await edit({ ...ISSUE, url_template })).status).toBe(200);
    const now = await list(owner);
    const edited = { id, url_template, example_input: '#1', reverse_template: '#{id}' };
    expect(now).toMatchObject([edited, { id: other }]);
    expect(await queue.drain()).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: now }]);
  });

  test('Removes the example and the reverse template if they are empty', async () => {
    await edit({ ...TICKET, example_input: '', reverse_template: '' });
    const edited = { id, ...TICKET, example_input: null, reverse_template: null };
    expect(await list(owner)).toMatchObject([edited, { id: other }]);
  });

  test('Refuses the same values as a creation', async () => {
    const before = await list(owner);
    expectRefusal(await edit(TICKET), 'The example input does not match the linkifier pattern.');
    expectRefusal(await edit(ISSUE, other), TAKEN);
    expectRefusal(await edit({ ...ISSUE, pattern: '(' }), 'Bad regular expression: missing closing ): `(`');
    expectRefusal(await edit(ISSUE, 99_999), 'Linkifier not found.');
    expect(await list(owner)).toEqual(before);
  });
});

test('A deleted linkifier is gone permanently, and its id is not used again', async () => {
  const [kept, gone] = [await make(owner), await make(owner, { ...ISSUE, pattern: 'b(?P<id>c)' })];
  const queue = await owner.listen(KNOWS);
  expect((await owner.delete(`/realm/filters/${gone}`)).status).toBe(200);
  expect(await list(owner)).toMatchObject([{ id: kept }]);
  expect(await queue.drain()).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: [{ id: kept }] }]);
  expectRefusal(await owner.delete(`/realm/filters/${gone}`), 'Linkifier not found.');
  expect(await make(owner, { ...ISSUE, pattern: 'd(?P<id>e)' })).toBe(gone + 1);
});

test('Every user may list the linkifiers, bots and guests included', async () => {
  const bot = await createUser(service, 'Robot');
  await service.makeBot(bot, owner);
  expect(await list(guest)).toEqual([]);
  const id = await make(owner);
  for (const client of [owner, guest, bot]) expect(await list(client)).toMatchObject([{ id }]);
});

test('Linkifiers come in the requested order, which has to name each of them once', async () => {
  const ids: number[] = [];
  for (const letter of ['a', 'b', 'c'])
    ids.push(await make(owner, { ...ISSUE, pattern: `${letter}(?P<id>d)` }));
  const [a, b, c] = ids;
  const reorder = (order: unknown) => owner.patch('/realm/linkifiers', { ordered_linkifier_ids: order });
  const queue = await owner.listen(KNOWS);
  expect((await reorder([c, a, b])).status).toBe(200);
  const ordered = [{ id: c }, { id: a }, { id: b }];
  expect(await list(guest)).toMatchObject(ordered);
  expect(await queue.drain()).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: ordered }]);
  const refusal = 'The ordered list must enumerate all existing linkifiers exactly once';
  for (const order of [[], [a], [a, b], [a, b, c, c], [a, a, b], [a, b, 99_999], [a, b, c, 99_999]])
    expectRefusal(await reorder(order), refusal);
  expect(await list(guest)).toMatchObject(ordered);
});
