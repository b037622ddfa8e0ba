import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadArchive, exportRecordOf } from '#tests/harness/archive.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const MESSAGES = 3_000;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  const channelId = await service.owner.subscribe('open');
  await service.settle();
  await fillLog(service.services, { channelId, channelName: 'open' }, MESSAGES);
});
afterAll(() => service.stop());

describe('an export', () => {
  test('of 3 000 messages of 200 characters costs 0.2 read units each and some more for the state, and 45 write units', async () => {
    service.meter.reset();
    const { body } = await service.owner.post('/export/realm');
    await service.settle();
    expect(service.meter.read).toBeLessThanOrEqual(MESSAGES * 0.2 + 80);
    expect(service.meter.write).toBeLessThanOrEqual(45);
    const archive = await downloadArchive((await exportRecordOf(service.owner, body.id)).export_url);
    expect(archive.manifest.counts.messages).toBeGreaterThanOrEqual(MESSAGES);
  });
});
