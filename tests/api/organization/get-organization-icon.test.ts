import { afterAll, expect, test } from 'vitest';
import { send } from '#tests/harness/anonymous.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('The icon redirects to a pattern of the organization’s address if no icon was uploaded', async () => {
  const { status, headers, body } = await send(service.url, '/realm/icon');
  expect([status, body]).toEqual([302, undefined]);
  expect(headers.get('location')).toMatch(
    /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon$/,
  );
  const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
  expect(snapshot).toMatchObject({ realm_icon_source: 'G', realm_icon_url: headers.get('location') });
});
