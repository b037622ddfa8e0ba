import { connect, type Socket } from 'node:net';
import { atMost, CALLS_AT_ONCE } from '#shared/table/paced.ts';
import { attemptMs } from '#shared/table/patience.ts';

/** What the engine answered. */
export interface EngineReply {
  status: number;
  body: string;
}

interface Waiting {
  resolve: (reply: EngineReply) => void;
  reject: (failure: Error) => void;
}

/** A connection on which nothing comes for so long is given up. */
const SILENCE_MS = 30_000;
const READ_BYTES = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUS = /^HTTP\/1\.1 (\d+)/;

/** Kept connections to an embedded engine. A request and most answers take one system call each. */
export class EngineConnections {
  readonly #engine: URL;
  readonly #idle: Connection[] = [];
  readonly #inTurn = atMost(CALLS_AT_ONCE);

  constructor(endpoint: string) {
    this.#engine = new URL(endpoint);
  }

  /** @throws Error with a code of the system when no answer came */
  ask(request: string): Promise<EngineReply> {
    return this.#inTurn(async () => {
      const connection = this.#take();
      const reply = await connection.ask(request);
      this.#idle.push(connection);
      return reply;
    });
  }

  #take(): Connection {
    for (;;) {
      const kept = this.#idle.pop();
      if (!kept) return new Connection(this.#engine);
      if (kept.isOpen) return kept;
    }
  }
}

/** One connection, which carries one request at a time. */
class Connection {
  readonly #socket: Socket;
  #waiting: Waiting | undefined;
  /** What came of an answer that is not whole, and how many bytes of it are worth a look. */
  #parts: Buffer[] = [];
  #bytes = 0;
  #needed = 0;

  constructor({ hostname, port }: URL) {
    const onread = {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (count: number, buffer: Uint8Array): boolean => {
        this.#receive((buffer as Buffer).subarray(0, count));
        return true;
      },
    };
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    this.#socket.on('timeout', () => this.#socket.destroy(noAnswer('ETIMEDOUT')));
    this.#socket.on('error', (failure) => this.#fail(failure));
    this.#socket.on('close', () => this.#fail(noAnswer('ECONNRESET')));
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  ask(request: string): Promise<EngineReply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.setTimeout(attemptMs(SILENCE_MS));
      // A process may end beside a connection that carries nothing.
      this.#socket.ref();
      this.#socket.write(request);
    });
  }

  #receive(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes < this.#needed) return void this.#parts.push(Buffer.from(bytes));
    const all = this.#parts.length === 0 ? bytes : Buffer.concat([...this.#parts, bytes]);
    const end = all.indexOf(END_OF_HEAD);
    const head = all.toString('latin1', 0, end);
    const from = end + END_OF_HEAD.length;
    const needed = from + Number(LENGTH.exec(head)?.[1] ?? Number.NaN);
    if (end >= 0 && Number.isNaN(needed)) return void this.#socket.destroy(noAnswer('EPROTO'));
    // While the head is not whole this is no number, and whatever comes is looked at.
    if (!(all.length >= needed)) {
      // The next bytes come to the same place.
      this.#parts = [Buffer.from(all)];
      this.#needed = needed;
      return;
    }
    const status = Number(STATUS.exec(head)?.[1]);
    this.#answer({ status, body: all.toString('utf8', from, needed) });
  }

  #answer(reply: EngineReply): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    [this.#parts, this.#bytes, this.#needed] = [[], 0, 0];
    this.#socket.unref();
    waiting?.resolve(reply);
  }

  #fail(failure: Error): void {
    this.#waiting?.reject(failure);
    this.#waiting = undefined;
  }
}

const noAnswer = (code: string): Error => Object.assign(new Error('The engine gave no answer'), { code });
