import type { IncomingMessage } from 'node:http';
import { BodyTooLarge, DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';

/** API Gateway's own limit. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** The process's overhead for each piece of a body besides its bytes. */
const PIECE_BYTES = 512;
const RETRY_SECONDS = 5;

/** How much clients may send at once, and how slowly. */
export interface BodyLimits {
  /** The total size of all bodies between their first byte and their answer. */
  totalBytes: number;
  /** A body is refused if nothing of it arrives for so long. */
  stallMs: number;
}

export const BODIES: BodyLimits = { totalBytes: 64 * 1024 * 1024, stallMs: 10_000 };

/** A body that has arrived; it counts until it is released. */
export interface Body {
  bytes: Buffer;
  release(): void;
}

/** The client sent nothing of an announced body for too long. */
export class BodyStalled extends DeclaredError {
  readonly status = 408;
  readonly code = 'BAD_REQUEST';
  constructor() {
    super('The request body did not arrive in time');
  }
}

interface Arriving {
  heldBytes: number;
  refuse(error: DeclaredError): void;
}

/** Whether the request announces a body over the limit. */
export const announcesTooMuch = (request: IncomingMessage): boolean =>
  Number(request.headers['content-length']) > MAX_BODY_BYTES;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Reads the bodies of requests within a total size. If it is exceeded, the largest body that is still arriving
 * is refused, so that clients that send much and stop do not keep out others.
 */
export class Bodies {
  readonly #limits: BodyLimits;
  readonly #arriving = new Set<Arriving>();
  #heldBytes = 0;

  constructor(limits: BodyLimits = BODIES) {
    this.#limits = limits;
  }

  /**
   * Resolves with undefined if the client disconnects.
   * @throws BodyTooLarge over 10 MB, as soon as that is known; BodyStalled; RateLimitHit if too much is in flight
   */
  read(request: IncomingMessage): Promise<Body | undefined> {
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = [];
      let byteCount = 0;
      const arrival: Arriving = {
        heldBytes: 0,
        refuse: (error) => {
          drop();
          reject(error);
        },
      };
      const stalled = hasBody(request)
        ? setTimeout(() => arrival.refuse(new BodyStalled()), this.#limits.stallMs)
        : undefined;
      const drop = (): void => {
        chunks = [];
        clearTimeout(stalled);
        this.#arriving.delete(arrival);
        this.#hold(arrival, -arrival.heldBytes);
      };
      this.#arriving.add(arrival);
      request.on('data', (chunk: Buffer) => {
        if (!this.#arriving.has(arrival)) return;
        stalled?.refresh();
        byteCount += chunk.length;
        if (byteCount > MAX_BODY_BYTES) return arrival.refuse(new BodyTooLarge());
        chunks.push(chunk);
        this.#hold(arrival, Math.max(chunk.length, PIECE_BYTES));
        this.#makeRoom();
      });
      request.once('end', () => {
        if (!this.#arriving.delete(arrival)) return;
        clearTimeout(stalled);
        const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        resolve({ bytes, release: () => this.#hold(arrival, -arrival.heldBytes) });
      });
      request.once('close', () => {
        if (!this.#arriving.has(arrival)) return;
        drop();
        resolve(undefined);
      });
      if (announcesTooMuch(request)) arrival.refuse(new BodyTooLarge());
    });
  }

  #hold(arrival: Arriving, bytes: number): void {
    arrival.heldBytes += bytes;
    this.#heldBytes += bytes;
  }

  #makeRoom(): void {
    while (this.#heldBytes > this.#limits.totalBytes && this.#arriving.size > 0) {
      const [largest] = [...this.#arriving].sort((a, b) => b.heldBytes - a.heldBytes);
      largest?.refuse(new RateLimitHit(RETRY_SECONDS));
    }
  }
}
