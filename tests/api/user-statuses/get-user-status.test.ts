import { describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { PALM, saying, statusOf } from './statuses.ts';

const service = await startTestService();
const ada = await createUser(service, 'Ada');

describe('The status of a user', () => {
  test('Has the set fields, and starts empty', async () => {
    const cy = await createUser(service, 'Cy');
    expect(await statusOf(ada, cy)).toEqual({});
    await saying(cy, { status_text: 'out' });
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'out' });
    await saying(cy, { ...PALM, away: true });
    expect(await statusOf(ada, cy)).toEqual({ status_text: 'out', ...PALM, away: true });
  });

  test('Does not exist for missing users, bots and deactivated users', async () => {
    const gone = await createUser(service, 'Gone');
    await saying(gone, { status_text: 'bye' });
    await service.deactivate(gone);
    const bot = await createUser(service, 'Robot');
    await service.makeBot(bot, ada);
    expectRefusal(await ada.get(`/users/${gone.userId}/status`), 'User is deactivated');
    for (const userId of [bot.userId, 999_999, 0, -1, '2147483648'])
      expectRefusal(await ada.get(`/users/${userId}/status`), 'No such user');
  });
});
