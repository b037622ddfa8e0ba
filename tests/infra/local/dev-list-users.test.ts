import { expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { roles } from '#shared/domain/users/user.ts';
import { send } from '#tests/harness/anonymous.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from '../../api/bots/bots.ts';

const service = await startTestService({}, { devKeys: true });

const list = (headers: Record<string, string> = {}) => send(service.url, '/dev_list_users', { headers });

test('With DEV_KEYS a program on this machine gets the addresses of all active people', async () => {
  const admin = await createUser(service, 'Admin', roles.administrator);
  const member = await service.createUser('Member');
  await createBot(member);
  const gone = await service.createUser('Gone');
  await service.deactivate(gone);
  const entryOf = ({ email }: { email: string }) => ({ email, realm_url: service.url });
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body).toEqual({
    result: 'success',
    msg: '',
    direct_admins: [service.owner, admin].map(entryOf),
    direct_users: [member].map(entryOf),
  });
});

test.each([
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': '192.0.2.1' },
])('A request with %j gets no address', async (headers) => {
  const reply = await list(headers);
  expect(reply.status).toBe(403);
  expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  expect(JSON.stringify(reply.body)).not.toContain(service.owner.email);
});

test('A service without DEV_KEYS does not know the operation, and no deployment does', async () => {
  const without = await startTestService();
  expect((await send(without.url, '/dev_list_users')).status).toBe(404);
  expect(Object.keys(endpoints)).not.toContain('devListUsers');
});
