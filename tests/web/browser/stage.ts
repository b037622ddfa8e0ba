import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import type { ServiceOptions } from '#infra/local/start.ts';
import { type BuiltWeb, buildWeb } from '#infra/web/build.ts';
import type { Connection } from '#shared/domain/sockets/connection.ts';
import { atFileEnd } from '#tests/harness/file-end.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';
import { eventually, Visitor } from './browser.ts';
import { launchBrowser } from './launch.ts';

/** How a browser differs from that of other stories. */
export type Look = Parameters<typeof Visitor.open>[1];

/** A visitor, and the parts of the visitor that stories name most. */
export interface Visit {
  visitor: Visitor;
  page: Page;
  context: BrowserContext;
  composer: Locator;
}

/** Changes a browser before it loads the client. */
export type Preparation = (visit: Visit) => Promise<unknown>;

/** A service that serves the web client as it is in the sources. It ends with the tests of the file, as the browser does. */
export interface Stage {
  service: TestService;
  /** Undefined if none runs on this machine. */
  browser: Browser | undefined;
  /** A person at a browser, who leaves at the end of the test; a page that complained fails it. */
  visit(look?: Look): Promise<Visit>;
  /** A person who has signed in, after a preparation of the browser. */
  enter(email: string, look?: Look, prepare?: Preparation): Promise<Visit>;
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

/** The same table and secret before and after a restart. */
export async function openDurable(): Promise<Partial<ServiceOptions>> {
  const table = await openTestTable();
  return { openTable: () => table, secret: randomUUID() };
}

export async function openStage(options: Partial<ServiceOptions> = {}): Promise<Stage> {
  const browser = await launchBrowser();
  const folder = join(inject('builtWebFolder'), String(process.env.VITEST_POOL_ID));
  built ??= buildWeb(folder);
  const { firstScriptBytes } = await built;
  const start = (port: number): Promise<TestService> =>
    startTestService({}, { webFolder: join(folder, 'web'), ...options, port });
  const listConnections = async (): Promise<Connection[]> =>
    (await stage.service.services.sockets?.connections?.list()) ?? [];
  const stage: Stage = {
    service: await start(0),
    browser,
    firstScriptBytes,
    visit: async (look) => {
      const visitor = await Visitor.open(browser!, look);
      onTestFinished(() => visitor.leave());
      const { page, context, composer } = visitor;
      return { visitor, page, context, composer };
    },
    enter: async (email, look, prepare) => {
      const visit = await stage.visit(look);
      await prepare?.(visit);
      await visit.visitor.enter(stage.service, email);
      return visit;
    },
    listSockets: async () => (await listConnections()).map(({ queueId }) => queueId),
    untilSockets: (count) => eventually(async () => (await stage.listSockets()).length).toBe(count),
    untilOtherSocket: (queueId) =>
      eventually(async () => (await stage.listSockets()).some((other) => other !== queueId)).toBe(true),
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
