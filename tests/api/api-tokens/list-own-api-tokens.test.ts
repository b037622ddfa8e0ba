import { describe, expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const DAY_SECONDS = 24 * 3600;

const service = await startTestService();
const other = await service.createUser('Other');

describe('GET /users/me/tokens', () => {
  test('Returns scopes, channels, expiry and last use of the caller’s valid tokens', async () => {
    const reader = await service.createUser('Reader');
    const channelId = await reader.subscribe('listed');
    const used = await TokenClient.create(reader, ['send', 'read'], { channels: [channelId] });
    await TokenClient.create(reader, ['organize'], { expires_in_seconds: null });
    await TokenClient.create(other, ['read']);
    await used.get('/users/me');
    const { body } = await reader.get('/users/me/tokens');
    const [first, second] = body.tokens;
    expect(body.tokens).toHaveLength(2);
    expect(first).toMatchObject({ name: 'Test', scopes: ['read', 'send'], channels: [channelId] });
    expect(first.expires_at - first.created_at).toBe(90 * DAY_SECONDS);
    expect(first.last_used_at).toBeGreaterThanOrEqual(first.created_at);
    expect(second).toMatchObject({ channels: null, expires_at: null, last_used_at: null });
  });
});
