import { describe, expect, test } from 'vitest';
import { pictureFile } from '#shared/domain/pictures/picture.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { downloadArchive, exportRecordOf } from '#tests/harness/archive.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { startTestService } from '#tests/harness/service.ts';

const MESSAGES = 3_000;
const PICTURES = 3_000;

const service = await startTestService();
const channelId = await service.owner.subscribe('open');
await service.settle();
await fillLog(service.services, { channelId, channelName: 'open' }, MESSAGES);

describe('An export', () => {
  test('With 3 000 messages of 200 characters costs 0.2 read units each plus the state, and 45 write units', async () => {
    service.meter.reset();
    const { body } = await service.owner.post('/export/realm');
    await service.settle();
    expect(service.meter.read).toBeLessThanOrEqual(MESSAGES * 0.2 + 80);
    expect(service.meter.write).toBeLessThanOrEqual(45);
    const archive = await downloadArchive((await exportRecordOf(service.owner, body.id)).export_url);
    expect(archive.manifest.counts.messages).toBeGreaterThanOrEqual(MESSAGES);
  });

  test('Holds every picture of an organization that has thousands', async () => {
    await addEmoji(PICTURES);
    service.meter.reset();
    const { body } = await service.owner.post('/export/realm');
    await service.settle();
    const record = await exportRecordOf(service.owner, body.id);
    expect(record).toMatchObject({ pending: false, failed_timestamp: null });
    const archive = await downloadArchive(record.export_url);
    expect([...archive.files.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(PICTURES);
    expect(archive.manifest.counts.files).toBe(PICTURES);
    expect(service.meter.write).toBeLessThanOrEqual(100);
  });
});

/** As if this many emoji had been uploaded. Written into table and files, since uploads would take too long. */
async function addEmoji(count: number): Promise<void> {
  const { table, files, ids } = service.services;
  const emoji = Array.from({ length: count }, (_, index) => ({
    emojiId: index + 1,
    name: `emoji${index}`,
    authorId: service.owner.userId,
    picture: `${ids.uuid()}.png`,
  }));
  await Promise.all(emoji.map(({ picture }) => files.put(pictureFile(picture), Buffer.from(picture))));
  for (let start = 0; start < count; start += 100)
    await table.transact(
      emoji
        .slice(start, start + 100)
        .map((one) => ({ kind: 'put', item: { ...organizationKeys.customEmoji(one.emojiId), ...one } })),
      ids.writeId(),
    );
}
