import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '#tests/simulation/random.ts';
import type { Organization } from './organization.ts';

/** How many events reach the viewer in a second. */
export const EVENTS_PER_SECOND = 50;
const MOST_UNDER_WAY = 60;

/**
 * People write, react, edit and type for some seconds, each act one event. Half of it happens in the first channel.
 * Gives how many were done in a second.
 */
export async function makeEvents(
  { writers, channelIds }: Organization,
  seconds: number,
  topic: string,
): Promise<number> {
  const random = new Random(7);
  const sent: number[] = [];
  let done = 0;
  const act = async (n: number): Promise<void> => {
    const writer = writers[n % writers.length] as (typeof writers)[number];
    const isHere = random.chance(0.5);
    const channelId = (isHere ? channelIds[0] : random.pick(channelIds)) as number;
    const place = { to: channelId, topic: isHere ? topic : `topic ${random.between(0, 29)}` };
    const known = sent.at(-random.between(1, Math.max(1, Math.min(50, sent.length))));
    const kind = n % 10;
    if (kind < 2 && known !== undefined) {
      const emoji = random.pick(['tada', 'smile', 'heart', '+1', 'eyes', 'fire', 'octopus', 'rocket']);
      await writer.request('POST', `/messages/${known}/reactions`, { emoji_name: emoji });
    } else if (kind === 2)
      await writer.request('POST', '/typing', { op: 'start', type: 'stream', stream_id: channelId, topic });
    else {
      const content = `Event ${n}: a **sentence** of usual length, with \`code\` and a [link](https://example.com).`;
      const { id } = await writer.call('POST', '/messages', { type: 'channel', ...place, content });
      sent.push(id);
    }
    done++;
  };
  const start = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let n = 0; performance.now() - start < seconds * 1000; n++) {
    const dueMs = (n * 1000) / EVENTS_PER_SECOND;
    await pause(Math.max(0, start + dueMs - performance.now()));
    while (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay);
    const one = act(n).finally(() => underWay.delete(one));
    underWay.add(one);
  }
  await Promise.all(underWay);
  return done / ((performance.now() - start) / 1000);
}
