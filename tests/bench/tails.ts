import { commit } from '#shared/log/commit.ts';
import { copyOf } from '#shared/log/copies.ts';
import { TailReader } from '#shared/log/tail-reader.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type Row, row } from './report.ts';
import type { BenchClient, BenchService } from './service.ts';

const COPIES = 3;

/** What three copies of the log's tail cost: sends pay for each of them, looks what they pay otherwise. */
export async function measureTails(
  service: BenchService,
  ada: BenchClient,
  to: number,
  content: string,
): Promise<Row[]> {
  const { config } = service.services;
  const before = config.tailCopies;
  const send = () => ada.call('POST', '/messages', { type: 'channel', to, topic: 'bench', content });
  try {
    config.tailCopies = COPIES;
    const used = await service.measure(send);
    const look = await measureLook(service.services, service);
    return [
      row(`with ${COPIES} copies of the tail, send 200 characters`, used, { write: 8, read: 4 }),
      row(`with ${COPIES} copies of the tail, one look of an idle poll`, look, { write: 0, read: 0.5 }),
    ];
  } finally {
    config.tailCopies = before;
  }
}

/** The entry that was written last is new, so that the copy is not doubted. */
async function measureLook(services: Services, service: BenchService) {
  const position = await commit(services, { events: [] });
  let queueId = services.ids.uuid();
  while (copyOf(queueId, COPIES) !== 1) queueId = services.ids.uuid();
  const reader = new TailReader(services, queueId);
  return service.measure(() => reader.read(position, 'rest'));
}
