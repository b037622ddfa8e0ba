import { afterAll, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createField } from './fields.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('A fresh organization has no fields', async () => {
  const { body } = await service.owner.get('/realm/profile_fields');
  expect(body).toEqual({ result: 'success', msg: '', custom_fields: [] });
});

test.each(['owner', 'administrator', 'moderator', 'member', 'guest'] as const)(
  'A %s sees the fields',
  async (role) => {
    const id = await createField(service.owner);
    const person = await service.createUser('Person', roles[role]);
    const { body } = await person.get('/realm/profile_fields');
    expect(body.custom_fields.map((field: { id: number }) => field.id)).toContain(id);
  },
);

test('A bot sees the fields, and a deactivated account does not', async () => {
  const person = await service.createUser('Person');
  await service.makeBot(person, service.owner);
  expect((await person.get('/realm/profile_fields')).status).toBe(200);
  await service.deactivate(person);
  expectRefusal(await person.get('/realm/profile_fields'), 'Account is deactivated', {
    status: 401,
    code: 'USER_DEACTIVATED',
  });
});

test('Unknown parameters are listed', async () => {
  const { body } = await service.owner.get('/realm/profile_fields', { order: 1 });
  expect(body.ignored_parameters_unsupported).toEqual(['order']);
});
