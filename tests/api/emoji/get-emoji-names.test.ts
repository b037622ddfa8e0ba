import { describe, expect, test } from 'vitest';
import { expectReact, reactionsOf } from '#tests/api/messages/reactions/reactions.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { createChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
const url = snapshot.server_emoji_data_url;

const namesByCode = async (): Promise<Record<string, string[]>> => {
  const { status, body } = await sendTo(url);
  expect(status).toBe(200);
  return body.code_to_names;
};

describe('The names of emoji', () => {
  test('Have the address in register, for every user, in a document of their own form', async () => {
    expect(url).toBe(`${service.url}/static/emoji.json`);
    const { status, headers, body } = await sendTo(url);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(Object.keys(body)).toEqual(['code_to_names']);
    const compressed = await sendTo(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
  });

  test('Cover all emoji, with each name of one, without skin tones', async () => {
    const all = await namesByCode();
    expect(Object.keys(all).length).toBeGreaterThan(1_800);
    for (const [code, names] of Object.entries(all)) {
      expect(code).toMatch(/^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/);
      expect(code).not.toMatch(/1f3f[b-f]-|-1f3f[b-f]/);
      expect(names.length, code).toBeGreaterThan(0);
      for (const name of names) expect(name).toMatch(/^[0-9a-z+_-]+$/);
    }
    const names = Object.values(all).flat();
    expect(new Set(names).size).toBe(names.length);
  });

  test('Start with the one of the protocol', async () => {
    const all = await namesByCode();
    expect(all['1f642']?.[0]).toBe('smile');
    expect(all['1f44e']).toEqual(['-1', 'thumbsdown']);
    expect(all['1f4e7']?.[0]).toBe('e-mail');
    expect(all['1f6b1']?.[0]).toBe('non-potable_water');
    expect(all['1f604']).toEqual(['big_smile']);
    expect(all['1f389']).toEqual(['tada']);
    expect(all['1f44d']).toEqual(expect.arrayContaining(['+1', 'thumbsup']));
  });

  test('Equal the names that reactions accept', async () => {
    const { channelId } = await createChannel(service, [service.owner]);
    const messageId = await service.owner.send(channelId, 'topic', 'hello');
    const all = Object.entries(await namesByCode());
    const some = all.filter((_one, index) => index % 100 === 0);
    for (const [, [emoji_name]] of some) await expectReact(service.owner, messageId, { emoji_name });
    expect(await reactionsOf(service.owner, messageId)).toMatchObject(
      some.map(([emoji_code, [emoji_name]]) => ({ emoji_name, emoji_code })),
    );
  });
});
