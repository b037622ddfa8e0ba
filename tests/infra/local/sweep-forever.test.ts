import { expect, test } from 'vitest';
import { startService } from '#infra/local/start.ts';
import { userKeys } from '#shared/table/keys/users.ts';

test('The local service removes items from its table after they have expired', async () => {
  const service = await startService({ port: 0, sweepIntervalMs: 10, ownerEmail: 'owner@example.com' });
  const { table } = service.services;
  const [expired, kept] = [userKeys.navigationViews(901), userKeys.navigationViews(902)];
  const nowSeconds = Math.floor(Date.now() / 1_000);
  await table.write({ kind: 'put', item: { ...expired, expiresAtSeconds: nowSeconds - 60 } });
  await table.write({ kind: 'put', item: { ...kept, expiresAtSeconds: nowSeconds + 3_600 } });
  await expect.poll(() => table.find(expired)).toBeUndefined();
  expect(await table.find(kept)).toBeDefined();
  await service.stop();
});
