import { ForksPoolWorker, type WorkerRequest } from 'vitest/node';

/** What a worker tells of its state. */
const told = (type: 'started' | 'stopped') => ({ type, __vitest_worker_response__: true });

/**
 * A worker that outlives the runs of vitest. It keeps the sources that it has loaded, and loads each file of tests anew. To vitest it
 * seems to end after each run.
 */
export class KeptWorker extends ForksPoolWorker {
  override readonly name = 'kept';
  #isThere = false;
  readonly #listeners: [event: string, callback: (given: unknown) => void][] = [];

  override on(event: string, callback: (given: unknown) => void): void {
    this.#listeners.push([event, callback]);
    super.on(event, callback);
  }

  override async start(): Promise<void> {
    if (!this.#isThere) await super.start();
  }

  override send(message: WorkerRequest): void {
    const { type } = message;
    if (type === 'stop') this.#tell(told('stopped'));
    else if (type === 'start' && this.#isThere) this.#tell(told('started'));
    else super.send(message);
    if (type === 'start') this.#isThere = true;
  }

  override async stop(): Promise<void> {
    for (const [event, callback] of this.#listeners.splice(0)) this.off(event, callback);
  }

  /** Ends it indeed. */
  async end(): Promise<void> {
    if (this.#isThere) await super.stop();
    this.#isThere = false;
  }

  #tell(message: unknown): void {
    for (const [event, callback] of [...this.#listeners])
      if (event === 'message') setImmediate(() => callback(message));
  }
}
