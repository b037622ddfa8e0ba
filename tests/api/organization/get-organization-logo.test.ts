import { afterAll, expect, test } from 'vitest';
import { send } from '#tests/harness/anonymous.ts';
import { expectMissing } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('The logo redirects to the address in register, by day and by night', async () => {
  const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
  for (const [night, name] of [
    [false, 'realm_logo_url'],
    [true, 'realm_night_logo_url'],
  ] as const) {
    const { status, headers } = await send(service.url, `/realm/logo?night=${night}`);
    expect([status, headers.get('location')]).toEqual([302, snapshot[name]]);
  }
  expectMissing(await send(service.url, '/realm/logo'), 'night');
});
