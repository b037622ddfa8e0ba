import { describe, expect, test } from 'vitest';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createBot } from './bots.ts';

const service = await startTestService();
const member = await createUser(service, 'Member');

describe('The list of bots', () => {
  test('Has the active bots of the caller, with keys that work', async () => {
    const other = await createUser(service, 'Other');
    await createBot(other);
    const [kept, gone] = [await createBot(member), await createBot(member)];
    await member.delete(`/bots/${gone.userId}`);
    const { body } = await member.get('/bots');
    expect(body.bots).toEqual([
      {
        username: kept.email,
        full_name: 'Helper',
        api_key: kept.apiKey,
        avatar_url: expect.stringMatching(/^\/user_avatars\/j\d+\.png$/),
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
      },
    ]);
    expect((await service.owner.get('/bots')).body.bots).toEqual([]);
  });
});
