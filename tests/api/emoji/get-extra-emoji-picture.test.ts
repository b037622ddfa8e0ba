import { describe, expect, test } from 'vitest';
import { createChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

/** The address that a message with the emoji names. */
async function addressInMessage(): Promise<string> {
  const { name } = await createChannel(service, [service.owner]);
  const id = await service.owner.send(name, 'topic', ':zulip:');
  const { body } = await service.owner.get(`/messages/${id}`);
  const [, address] = /<img [^>]*src="([^"]+)"/.exec(body.message.content) ?? [];
  return `${service.url}${address}`;
}

describe('The picture of the emoji that has no Unicode character', () => {
  test('Has the address that messages use, for every user, and may be cached', async () => {
    const response = await fetch(await addressInMessage());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toContain('immutable');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 64]);
  });
});
