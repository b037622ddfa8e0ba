import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client } from '#tests/harness/client.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { back, putBack, startIn } from './fixture.ts';

const inFolder = (name: string): string => join(folder, name);
const folder = temporaryFolder('running');

const WRITERS = 3;

test('A backup of a running service holds everything answered before it started, and only whole prefixes of later changes', async () => {
  const service = await startIn(inFolder('source'));
  const room = await service.owner.subscribe('room');
  const answered: number[] = Array(WRITERS).fill(0);
  let isEnding = false;
  /** Each change has several items, and comes after the one before was answered. */
  const write = async (writer: number): Promise<void> => {
    for (let number = 1; !isEnding; number++) {
      await service.owner.subscribe(`room ${writer} ${number}`);
      await service.owner.send(room, `topic ${writer}`, `${number}`);
      answered[writer] = number;
    }
  };
  const writers = answered.map((_, writer) => write(writer));
  while (Math.min(...answered) < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  const before = [...answered];
  let after: number[] = [];
  const onStep = ({ doing }: { doing: string }) => {
    // The instant has gone by, and the items of it are read now.
    if (doing === 'Items' && after.length === 0) after = [...answered];
  };
  await back(inFolder('source'), inFolder('running.tar'), { onStep });
  isEnding = true;
  await Promise.all(writers);
  await service.stop();

  await putBack(inFolder('running.tar'), inFolder('copy'));
  const copy = await startIn(inFolder('copy'));
  const owner = new Client(copy.url, service.owner, () => copy.settle());
  await copy.settle();
  const { snapshot } = await owner.register({ include_subscribers: true });
  const channels: { name: string; subscribers: number[] }[] = snapshot.subscriptions;
  for (let writer = 0; writer < WRITERS; writer++) {
    const { body } = await owner.get('/messages', {
      narrow: [{ operator: 'topic', operand: `topic ${writer}` }],
      anchor: 'newest',
      num_before: 1_000,
      num_after: 0,
      apply_markdown: false,
    });
    const sent: number[] = body.messages.map(({ content }: { content: string }) => Number(content));
    expect(sent).toEqual(sent.map((_, index) => index + 1));
    expect(sent.length).toBeGreaterThanOrEqual(before[writer] ?? 0);
    expect(sent.length).toBeLessThanOrEqual((after[writer] ?? 0) + 1);
    const created = channels.filter(({ name }) => name.startsWith(`room ${writer} `));
    expect(created.length - sent.length).toBeOneOf([0, 1]);
    for (const { subscribers } of created) expect(subscribers).toEqual([owner.userId]);
    // A name belongs to its channel, or is free.
    await owner.subscribe(`room ${writer} ${created.length}`);
    await owner.subscribe(`room ${writer} ${created.length + 1}`);
  }
  await expectConsistentSnapshot(copy, [owner], () => owner.send(room, 'topic', 'continues'));
});
