import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

test('A deleted playground disappears, and every user gets the rest', async () => {
  const { owner } = service;
  const params = { pygments_language: 'Rust', url_template: 'https://a.b/?code={code}' };
  const { id } = (await owner.post('/realm/playgrounds', { name: 'a', ...params })).body;
  const other = (await owner.post('/realm/playgrounds', { name: 'b', ...params })).body;
  const queue = await (await createUser(service, 'Guest', roles.guest)).listen();
  expect((await owner.delete(`/realm/playgrounds/${id}`)).body).toEqual({ result: 'success', msg: '' });
  expect(await queue.drain()).toMatchObject([
    { type: 'realm_playgrounds', realm_playgrounds: [{ id: other.id, name: 'b', ...params }] },
  ]);
  expectRefusal(await owner.delete(`/realm/playgrounds/${id}`), 'Invalid playground');
});
