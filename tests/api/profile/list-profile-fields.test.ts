import { expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

test('A fresh organization has no fields', async () => {
  const { body } = await service.owner.get('/realm/profile_fields');
  expect(body).toEqual({ result: 'success', msg: '', custom_fields: [] });
});
