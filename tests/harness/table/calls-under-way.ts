import { setImmediate as turn } from 'node:timers/promises';
import type { Services } from '#shared/runtime/services.ts';
import { aroundCalls } from './table-with.ts';

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
    services.table = aroundCalls(table, (call) => follow(call()));
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
