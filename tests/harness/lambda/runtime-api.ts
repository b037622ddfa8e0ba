import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LocalServer } from '#tests/harness/local-server.ts';

/** The resource usage of a process since its start. */
export interface Usage {
  /** The sum of all threads. */
  cpuMs: number;
  /** Its memory at this moment. */
  residentBytes: number;
  /** The most memory that it ever had. */
  peakBytes: number;
}

/** A report of a function's process to the Runtime API; `id` is missing if it did not get as far as an event. */
export type Word =
  | { kind: 'ready'; usage: Usage }
  | { kind: 'response' | 'error'; id: string; body: string; usage: Usage }
  | { kind: 'initError'; body: string; usage: Usage };

/** An event on its way to a process. */
export interface Invocation {
  id: string;
  functionArn: string;
  deadlineMs: number;
  event: string;
}

const BASE = '/2018-06-01/runtime';

/**
 * The HTTP server by which Lambda and the process of a function speak: the process waits for `next`, and posts
 * `response` or `error`. One server serves one process.
 */
export class RuntimeApi extends LocalServer {
  readonly #receive: (word: Word) => void;
  #waiting: ServerResponse | undefined;
  #invocation: Invocation | undefined;

  constructor(receive: (word: Word) => void) {
    // The process parks on one socket for as long as nothing is to be done.
    super({ keepAliveTimeout: 0, requestTimeout: 0 });
    this.#receive = receive;
  }

  /** Passes an event to the process as soon as it requests one. */
  send(invocation: Invocation): void {
    this.#invocation = invocation;
    this.#handOver();
  }

  #handOver(): void {
    const response = this.#waiting;
    if (!response || !this.#invocation) return;
    const { id, functionArn, deadlineMs, event } = this.#invocation;
    this.#waiting = undefined;
    this.#invocation = undefined;
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': id,
      'lambda-runtime-deadline-ms': String(deadlineMs),
      'lambda-runtime-invoked-function-arn': functionArn,
    });
    response.end(event);
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const usage = {
      cpuMs: Number(request.headers['x-process-cpu-microseconds']) / 1000,
      residentBytes: Number(request.headers['x-process-resident-bytes']),
      peakBytes: Number(request.headers['x-process-peak-bytes']),
    };
    const path = request.url ?? '';
    if (request.method === 'GET' && path === `${BASE}/invocation/next`) {
      this.#waiting = response;
      response.once('close', () => {
        if (this.#waiting === response) this.#waiting = undefined;
      });
      this.#receive({ kind: 'ready', usage });
      return this.#handOver();
    }
    const body = await text(request);
    // The process continues once it has this answer, so it comes before anything that follows from the report.
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
    if (path === `${BASE}/init/error`) return this.#receive({ kind: 'initError', body, usage });
    const [id = '', kind] = path.slice(`${BASE}/invocation/`.length).split('/');
    if (kind === 'response' || kind === 'error')
      this.#receive({ kind, id: decodeURIComponent(id), body, usage });
  }
}
