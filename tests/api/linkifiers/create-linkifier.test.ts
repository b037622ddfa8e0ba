import { afterEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { clear, create, ISSUE, KNOWS, listed, made } from './linkifier-calls.ts';

const service = await startTestService();
const owner = service.owner;
const guest = await createUser(service, 'Guest', roles.guest);
afterEach(() => clear(owner));

describe('Creating a linkifier', () => {
  test('Adds it after the others, and every user may list it', async () => {
    const first = await made(owner);
    const second = await made(owner, {
      pattern: ' T-(?P<n>[0-9]+) ',
      url_template: ' https://example.com/t/{n} ',
      example_input: 'T-15',
      reverse_template: 'T-{n}',
      alternative_url_templates: ['https://example.org/{n}'],
    });
    expect(second).toBeGreaterThan(first);
    expect(await listed(guest)).toEqual([
      { id: first, ...ISSUE, example_input: null, reverse_template: null, alternative_url_templates: [] },
      {
        id: second,
        pattern: 'T-(?P<n>[0-9]+)',
        url_template: 'https://example.com/t/{n}',
        example_input: 'T-15',
        reverse_template: 'T-{n}',
        alternative_url_templates: ['https://example.org/{n}'],
      },
    ]);
  });

  test('Notifies every user whose client supports URL templates, and no other', async () => {
    const queues = await Promise.all([
      owner.listen(KNOWS),
      guest.listen(KNOWS),
      guest.listen(),
      guest.listen({ client_capabilities: { linkifier_url_template: false } }),
    ]);
    await made(owner);
    const event = {
      id: expect.any(Number),
      type: 'realm_linkifiers',
      realm_linkifiers: await listed(owner),
    };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Keeps snapshot and events equal', async () => {
    const capable = { linkifier_url_template: true };
    const change = async () => {
      const [one, two] = [await made(owner), await made(owner, { ...ISSUE, pattern: 'a(?P<id>b)' })];
      await owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [two, one] });
      await owner.patch(`/realm/filters/${one}`, { ...ISSUE, pattern: '~(?P<id>b)' });
      await owner.delete(`/realm/filters/${two}`);
    };
    await expectConsistentSnapshot(service, [owner, guest], change, capable);
    await clear(owner);
    await expectConsistentSnapshot(service, [owner, guest], change);
  });
});

test('A new linkifier costs 7 write units', async () => {
  await service.settle();
  service.meter.reset();
  await made(owner);
  expect(service.meter.write).toBe(7);
});

describe('A linkifier is refused', () => {
  test('Without a pattern or a template', async () => {
    expectRefusal(await create(owner, { ...ISSUE, pattern: '  ' }), 'pattern cannot be blank');
    expectRefusal(await create(owner, { ...ISSUE, url_template: '' }), 'url_template cannot be blank');
  });

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

  test('Unless the groups of the pattern are the variables of the template', async () => {
    expectRefusal(
      await create(owner, { ...ISSUE, url_template: 'https://example.com/{id}/{b}/{a}' }),
      "Group 'a' in URL template is not present in linkifier pattern.",
    );
    expectRefusal(
      await create(owner, { ...ISSUE, pattern: '(?P<id>a)(?P<z>b)(?P<y>c)' }),
      "Group 'y' in linkifier pattern is not present in URL template.",
    );
  });

  test('If another one has its pattern', async () => {
    await made(owner);
    expectRefusal(await create(owner), 'A linkifier with this pattern already exists.');
  });

  test.each<[Params, string]>([
    [{ example_input: '#x' }, 'The example input does not match the linkifier pattern.'],
    [{ reverse_template: '#{id}' }, 'An example input is required for a reverse template.'],
    [
      { example_input: '#1', reverse_template: '#{number}' },
      "Group 'number' in URL template is not present in linkifier pattern.",
    ],
    [{ example_input: '#1', reverse_template: '#{id' }, 'Invalid reverse template.'],
    [{ alternative_url_templates: ['nowhere/{id}'] }, 'Invalid URL template.'],
    [
      { alternative_url_templates: ['https://a.b/{x}'] },
      "Group 'x' in URL template is not present in linkifier pattern.",
    ],
  ])('With %j', async (extras, message) => {
    expectRefusal(await create(owner, { ...ISSUE, ...extras }), message);
    expect(await listed(owner)).toEqual([]);
  });

  test('If it is too long', async () => {
    const long = 'x'.repeat(1_001);
    expectRefusal(
      await create(owner, { pattern: long, url_template: 'https://example.com' }),
      'pattern is too long (limit: 1000 characters)',
    );
    expectRefusal(
      await create(owner, { ...ISSUE, url_template: `https://example.com/{id}${long}` }),
      'URL template is too long (limit: 1000 characters)',
    );
    expectRefusal(
      await create(owner, { ...ISSUE, example_input: `#1 ${long}` }),
      'example_input is too long (limit: 1000 characters)',
    );
  });

  test('If all linkifiers together would take too long to match or to list', async () => {
    const message = 'The linkifier patterns are too complex together.';
    expectRefusal(await create(owner, { ...ISSUE, pattern: '(?P<id>\\pL{1000})b{100}' }), message);
    await made(owner, { ...ISSUE, pattern: '(?P<id>a{450})' });
    await made(owner, { ...ISSUE, pattern: '(?P<id>b{450})' });
    expectRefusal(await create(owner, { ...ISSUE, pattern: '(?P<id>c{450})' }), message);
    await clear(owner);
    const alternative_url_templates = Array.from({ length: 101 }, () => `https://a.b/${'x'.repeat(980)}`);
    expectRefusal(
      await create(owner, { ...ISSUE, alternative_url_templates }),
      'The linkifiers are too long together.',
    );
    expect(await listed(owner)).toEqual([]);
  });
});
