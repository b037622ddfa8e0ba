import { afterAll, expect, test } from 'vitest';
import { send } from '#tests/harness/anonymous.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('Deleting one logo leaves the other', async () => {
  const { owner } = service;
  for (const night of ['true', 'false'])
    await owner.post('/realm/logo', {}, { rawBody: toForm(await makePicture(), { night }) });
  const queue = await owner.listen();
  expect((await owner.delete('/realm/logo', { night: true })).status).toBe(200);
  expect(await queue.drain()).toMatchObject([
    { type: 'realm', op: 'update_dict', property: 'night_logo', data: { night_logo_source: 'D' } },
  ]);
  const { snapshot } = await owner.register({ fetch_event_types: ['realm'] });
  expect(snapshot).toMatchObject({ realm_logo_source: 'U', realm_night_logo_source: 'D' });
  const shown = await send(service.url, '/realm/logo?night=true');
  expect(shown.headers.get('location')).toBe(snapshot.realm_night_logo_url);
});
