import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, inject } from 'vitest';
import type { ServiceOptions } from '#infra/local/start.ts';
import { type BuiltWeb, buildWeb } from '#infra/web/build.ts';
import type { Connection } from '#shared/domain/sockets/connection.ts';
import { atFileEnd } from '#tests/harness/file-end.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { STEP } from './browser.ts';

/** A service that serves the web client as it is in the sources. It ends with the tests of the file, as the browser does. */
export interface Stage {
  service: TestService;
  /** The compressed size of the scripts that the page needs before it shows anything. */
  firstScriptBytes: number;
  /** Stops the service and starts it again at the same address. Only the given options remain: a table, a secret. */
  restart(): Promise<void>;
  /** The queues whose sockets are open. */
  listSockets(): Promise<string[]>;
  /** Waits until so many sockets are open. */
  untilSockets(count: number): Promise<void>;
  /** Waits until a socket of another queue is open. */
  untilOtherSocket(queueId: string | undefined): Promise<void>;
  /** The service ends all sockets, and says nothing. */
  endSockets(): Promise<void>;
}

/** Built once for all files of a worker. */
let built: Promise<BuiltWeb> | undefined;

export async function openStage(
  browser: Browser | undefined,
  options: Partial<ServiceOptions> = {},
): Promise<Stage> {
  const folder = join(inject('builtWebFolder'), String(process.env.VITEST_POOL_ID));
  built ??= buildWeb(folder);
  const { firstScriptBytes } = await built;
  const start = (port: number): Promise<TestService> =>
    startTestService({}, { webFolder: join(folder, 'web'), ...options, port });
  const listConnections = async (): Promise<Connection[]> =>
    (await stage.service.services.sockets?.connections?.list()) ?? [];
  const stage: Stage = {
    service: await start(0),
    firstScriptBytes,
    listSockets: async () => (await listConnections()).map(({ queueId }) => queueId),
    untilSockets: (count) => expect.poll(async () => (await stage.listSockets()).length, STEP).toBe(count),
    untilOtherSocket: (queueId) =>
      expect
        .poll(async () => (await stage.listSockets()).some((other) => other !== queueId), STEP)
        .toBe(true),
    endSockets: async () => {
      for (const { connectionId } of await listConnections())
        await stage.service.services.sockets?.end(connectionId);
    },
    restart: async () => {
      const { port } = new URL(stage.service.url);
      await stage.service.stop();
      stage.service = await start(Number(port));
    },
  };
  atFileEnd(() => browser?.close());
  return stage;
}
