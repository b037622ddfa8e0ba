import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService();
const owner = service.owner;
const guest = await createUser(service, 'Guest', roles.guest);

const RUST = { name: 'Rust', pygments_language: 'Rust', url_template: 'https://a.b/?code={code}' };
const create = (params: Params, client = owner) => client.post('/realm/playgrounds', params);
const playgroundsOf = async (client = guest) =>
  (await client.register({ fetch_event_types: ['realm_playgrounds'] })).snapshot.realm_playgrounds;

describe('A new playground', () => {
  test('Costs 5 write units', async () => {
    await service.settle();
    expect((await unitsOf(service, () => create(RUST))).write).toBe(5);
    for (const { id } of await playgroundsOf()) await owner.delete(`/realm/playgrounds/${id}`);
  });

  test('Follows the others, with an event to every user and an entry in register', async () => {
    const queue = await guest.listen();
    const first = await create(RUST);
    expect(first.body).toEqual({ result: 'success', msg: '', id: expect.any(Number) });
    const language = ' C++ ';
    const params = { name: language, pygments_language: language, url_template: ' https://a.b/#{code} ' };
    const second = await create(params);
    const cpp = { name: 'C++', pygments_language: 'C++', url_template: 'https://a.b/#{code}' };
    const playgrounds = [
      { id: first.body.id, ...RUST },
      { id: second.body.id, ...cpp },
    ];
    expect(await playgroundsOf()).toEqual(playgrounds);
    const event = { id: expect.any(Number), type: 'realm_playgrounds' };
    expect(await queue.drain()).toEqual([
      { ...event, realm_playgrounds: playgrounds.slice(0, 1) },
      { ...event, realm_playgrounds: playgrounds },
    ]);
  });

  test('Keeps snapshot and events equal', async () => {
    await expectConsistentSnapshot(service, [owner, guest], async () => {
      const { body } = await create({ ...RUST, name: 'Another' });
      await create({ ...RUST, name: 'Yet another' });
      await owner.delete(`/realm/playgrounds/${body.id}`);
    });
  });
});

describe('A playground is refused', () => {
  test('Without name, language or template', async () => {
    for (const name of Object.keys(RUST))
      expectRefusal(await create({ ...RUST, [name]: ' ' }), `${name} cannot be blank`);
  });

  const ONLY_CODE = '"code" should be the only variable present in the URL template';
  const TOO_LONG = 'URL template is too long (limit: 1000 characters)';
  test.each<[Params, string]>([
    [{ pygments_language: 'a$b' }, 'Invalid characters in pygments language'],
    [{ pygments_language: '<b>' }, 'Invalid characters in pygments language'],
    [{ pygments_language: 'x'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
    [{ name: 'x'.repeat(101) }, 'name is too long (limit: 100 characters)'],
    [{ url_template: 'https://a.b/' }, 'Missing the required variable "code" in the URL template'],
    [{ url_template: 'https://a.b/{cod}' }, 'Missing the required variable "code" in the URL template'],
    [{ url_template: 'https://a.b/{code}{?x}' }, ONLY_CODE],
    [{ url_template: 'https://a.b/{code' }, 'Invalid URL template.'],
    [{ url_template: 'javascript:{code}' }, 'Invalid URL template.'],
    [{ url_template: `https://a.b/{code}${'x'.repeat(1_000)}` }, TOO_LONG],
  ])('With %j', async (params, message) => {
    const before = await playgroundsOf();
    expectRefusal(await create({ ...RUST, name: 'Refused', ...params }), message);
    expect(await playgroundsOf()).toEqual(before);
  });

  test('If its language has one of its name, and if there are too many', async () => {
    const name = 'Only once';
    await create({ ...RUST, name });
    expectRefusal(await create({ ...RUST, name }), 'A playground of this language and name already exists.');
    expect((await create({ ...RUST, name, pygments_language: 'Go' })).status).toBe(200);
    for (let n = (await playgroundsOf()).length; n < 100; n++) await create({ ...RUST, name: `Filler ${n}` });
    expectRefusal(await create({ ...RUST, name: 'Too many' }), 'There may be at most 100 code playgrounds.');
  });
});
