import { setImmediate as turn } from 'node:timers/promises';
import type { Services } from '#shared/runtime/services.ts';
import type { Table } from '#shared/table/table.ts';

/** Work after an answer may take some turns of the event loop until it calls the table again. */
const QUIET_TURNS = 10;

/** The calls of a service's table, those included for which nothing waits. */
export class CallsUnderWay {
  readonly #calls = new Set<Promise<unknown>>();
  #begun = 0;

  /** Counts every call of these services' table from now on. */
  constructor(services: Services) {
    const { table } = services;
    const follow = <Answer>(call: Promise<Answer>): Promise<Answer> => {
      this.#begun++;
      this.#calls.add(call);
      const end = () => this.#calls.delete(call);
      call.then(end, end);
      return call;
    };
    services.table = {
      find: (...given) => follow(table.find(...given)),
      findMany: (...given) => follow(table.findMany(...given)),
      page: (...given) => follow(table.page(...given)),
      list: (...given) => follow(table.list(...given)),
      scanKeys: (...given) => follow(table.scanKeys(...given)),
      write: (...given) => follow(table.write(...given)),
      increment: (...given) => follow(table.increment(...given)),
      transact: (...given) => follow(table.transact(...given)),
    } satisfies Table;
  }

  /** Resolves when no call is running and none follows from the earlier ones. */
  async rest(): Promise<void> {
    for (let quietTurns = 0; quietTurns < QUIET_TURNS; quietTurns++) {
      const begun = this.#begun;
      await Promise.allSettled(this.#calls);
      await turn();
      if (this.#begun !== begun) quietTurns = 0;
    }
  }
}
