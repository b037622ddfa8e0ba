import { EventEmitter } from 'node:events';
import { deleteQueue } from '#functions/events/delete-queue.ts';
import { getEvents } from '#functions/events/get-events.ts';
import { startGateway } from '#infra/local/gateway/gateway.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endWaitingPolls } from '#shared/queues/newest-poll.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { POLLER_CONFIG, POLLS_PER_PROCESS } from './limits.ts';
import { POLLER_WORDS, watchAnswer } from './watch.ts';

/**
 * The poller as a web function: an HTTP server that holds the polls of many clients, which share one reader of
 * the log. It answers all of `/api/v1/events`, since its front chooses by path.
 */

/** Lambda ends the process a second after it asked for the end. */
const GRACE_MS = 800;
const ADDRESS = /^(?:http:\/\/)?\[?([^\]/]+)\]?:(\d+)$/;

/** The address at which Lambda expects the server. */
function readAddress(text = ''): { host: string; port: number } {
  const [, host, port] = ADDRESS.exec(text) ?? [];
  if (!host) throw new Error(`AWS_LAMBDA_HTTP_ENDPOINT must be host:port, not ${JSON.stringify(text)}`);
  return { host, port: Number(port) };
}

/** Units are not reported by request, because many requests run at once. */
function servicesOfPolls(): Services {
  const { consumed: _, ...services } = awsServices();
  const config = { ...services.config, ...POLLER_CONFIG };
  return { ...services, appends: new EventEmitter(), config };
}

async function main(): Promise<void> {
  const services = servicesOfPolls();
  const none = { waiting: 0, waitingBytes: 0, waitMs: 0 };
  const gateway = await startGateway({
    registry: { getEvents, deleteQueue },
    services,
    watch: watchAnswer,
    ...readAddress(process.env.AWS_LAMBDA_HTTP_ENDPOINT),
    admission: {
      requests: { places: POLLS_PER_PROCESS, ...none },
      polls: { places: POLLS_PER_PROCESS, ...none },
    },
  });
  process.once('SIGTERM', async () => {
    endWaitingPolls(services);
    await gateway.stop(GRACE_MS);
    process.exit(0);
  });
}

/** One process serves many clients, so a defect that concerns one of them must not end it. */
for (const name of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(name, (failure) =>
    logLine('error', `${POLLER_WORDS.failure} beside its requests`, describeFailure(failure)),
  );

main().catch((failure) => {
  logLine('error', `${POLLER_WORDS.failure} to start`, describeFailure(failure));
  process.exit(1);
});
