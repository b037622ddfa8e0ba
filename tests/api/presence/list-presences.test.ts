import { describe, expect, test } from 'vitest';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { ping } from './presences.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

describe('The presence of every user', () => {
  test('Starts empty', async () => {
    const { status, body } = await ada.get('/realm/presence');
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', presences: {}, server_timestamp: expect.any(Number) });
  });

  test('Has e-mail addresses as keys, in the old form', async () => {
    await ping(ada);
    await ping(bo, { status: 'idle' });
    const { body } = await ada.get('/realm/presence');
    const then = (status: string) => ({ client: 'website', status, timestamp: expect.any(Number) });
    expect(body.presences[ada.email]).toEqual({
      aggregated: then('active'),
      website: { ...then('active'), pushable: false },
    });
    expect(Object.keys(body.presences).sort()).toEqual([ada.email, bo.email].sort());
    const { server_timestamp } = body;
    expect(server_timestamp).toBeLessThanOrEqual(service.services.clock.nowMs() / 1000);
  });

  test('Excludes deactivated users, and users without a report for two weeks', async () => {
    const gone = await createUser(service, 'Gone');
    await ping(gone);
    await service.deactivate(gone);
    const { presences } = (await ada.get('/realm/presence')).body;
    expect(presences).not.toHaveProperty(gone.email);
    expect(presences).toHaveProperty(bo.email);
    service.advance(15 * 24 * 3_600_000);
    expect((await ada.get('/realm/presence')).body.presences).toEqual({});
  });
});
