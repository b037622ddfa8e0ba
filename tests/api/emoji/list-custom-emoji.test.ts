import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

test('Every user gets all of them by id, as in register', async () => {
  for (const name of ['one', 'two'])
    await service.owner.post(`/realm/emoji/${name}`, {}, { rawBody: toForm(await makePicture()) });
  const guest = await service.createUser('Guest', roles.guest);
  const { body } = await guest.get('/realm/emoji');
  expect(Object.keys(body.emoji)).toEqual(['1', '2']);
  expect(body.emoji[2]).toMatchObject({ id: '2', name: 'two', author_id: service.owner.userId });
  const { snapshot } = await guest.register({ fetch_event_types: ['realm_emoji'] });
  expect(snapshot.realm_emoji).toEqual(body.emoji);
});
