import { expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { reference } from '#tests/conformance/reference.ts';
import { findEndpoint } from '#tests/harness/declared/replies.ts';
import { startTestService } from '#tests/harness/service.ts';
import { Guide } from '#tests/tour/guide.ts';
import { tour } from '#tests/tour/tour.ts';

const service = await startTestService();

test('The tour visits every operation of the reference without a surprise', async () => {
  const lines: string[] = [];
  const guide = new Guide(service.url, (line) => lines.push(line));
  const { email, apiKey, userId } = service.owner;
  await tour(guide, { name: 'the owner', email, apiKey, userId });
  const visited = guide.called.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return findEndpoint(endpoints, method, path)?.route;
  });
  const routes = reference.flatMap(({ route }) => route ?? []);
  expect(routes.filter((route) => !visited.some((one) => one === route))).toEqual([]);
  expect(lines.join('\n')).toContain('→ POST /register');
});

test('The tour ends at a wrong reply', async () => {
  const guide = new Guide(service.url, () => {});
  const call = guide.call('GET /server_settings', { expect: { realm_name: 'Another' } });
  await expect(call).rejects.toThrow('GET /server_settings');
});
