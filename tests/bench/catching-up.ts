import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFunctions } from '#infra/build/build.ts';
import type { HttpReply } from '#shared/api/http.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { writeBootstrap } from '#tests/harness/lambda/deployed-functions.ts';
import { LambdaFunction } from '#tests/harness/lambda/lambda-function.ts';
import { environmentOf, eventOf } from './cold.ts';
import type { Row } from './report.ts';
import { startBenchService } from './service.ts';

/** More than two pages of the log, which are 1 MB each. */
const MESSAGES = 2_500;
/** The garbage of earlier polls counts for a process. */
const POLLS = 100;
const MEMORIES = [128];

/** The most memory that a process of `get-events` takes, with the heap that Lambda gives it, by polls that catch up. */
export async function measureCatchingUp(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'team-chat-catching-up-'));
  const service = await startBenchService({ isShared: true });
  try {
    await buildFunctions(folder);
    const { owner } = service;
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'room' }] });
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'room' });
    const { queue_id, last_event_id } = await owner.call('POST', '/register', { event_types: ['message'] });
    await fillLog(service.services, { channelId: stream_id, channelName: 'room' }, MESSAGES);
    const params = { queue_id, last_event_id: String(last_event_id), dont_block: 'true' };
    const event = eventOf(owner, 'GET', '/events', params);
    const rows: Row[] = [];
    for (const memoryMegabytes of MEMORIES) {
      const settings = {
        functionName: 'get-events',
        folder: join(folder, 'functions'),
        handler: 'get-events.handler',
        environment: environmentOf(service, 'http://127.0.0.1:9'),
        timeoutSeconds: 29,
        memoryMegabytes,
      };
      const measured = await peakOf(new LambdaFunction(settings, writeBootstrap(folder)), event);
      rows.push({
        what: `${POLLS} polls of ${MESSAGES} messages`,
        measured: `${measured.toFixed(0)} MiB`,
        budget: `${memoryMegabytes} MB`,
      });
    }
    return rows;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The client acknowledges nothing, so each poll reads the same and more of its garbage lies about. */
async function peakOf(deployed: LambdaFunction, event: unknown): Promise<number> {
  let peakBytes = 0;
  for (let poll = 0; poll < POLLS; poll++) {
    const outcome = await deployed.invoke(event);
    const isAnswered = outcome.kind === 'answer' && (outcome.payload as HttpReply).statusCode === 200;
    if (!isAnswered) throw new Error(`${JSON.stringify(outcome)}\n${deployed.output}`);
    peakBytes = outcome.usage.peakBytes;
  }
  await deployed.shutDown();
  return peakBytes / 2 ** 20;
}
