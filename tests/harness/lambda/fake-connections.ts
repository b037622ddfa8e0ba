import type { FakeAnswer, FakeRequest } from './fake-aws.ts';

/** A text that a service posted. */
export interface PostedText {
  op: string;
  position?: number;
  events?: { id: number; type: string; message?: { id: number; content: string } }[];
}

/** The gateway refuses more. */
const MOST_BYTES = 128 * 1024;

/** The connections of clients at API Gateway: open ones accept texts, and all others are gone. */
export class FakeConnections {
  /** How many requests more the gateway throttles. */
  throttled = 0;
  readonly #texts = new Map<string, PostedText[]>();

  open(connectionId: string): void {
    this.#texts.set(connectionId, []);
  }

  /** The client is gone. */
  close(connectionId: string): void {
    this.#texts.delete(connectionId);
  }

  isOpen(connectionId: string): boolean {
    return this.#texts.has(connectionId);
  }

  textsOf(connectionId: string): PostedText[] {
    return this.#texts.get(connectionId) ?? [];
  }

  answer({ method, url, body }: FakeRequest): FakeAnswer {
    if (this.throttled > 0) {
      this.throttled--;
      return { status: 429 };
    }
    const [, id = ''] = url.pathname.split('/@connections/');
    const connectionId = decodeURIComponent(id);
    const texts = this.#texts.get(connectionId);
    if (!texts) return { status: 410 };
    if (body.length > MOST_BYTES) return { status: 413 };
    if (method === 'DELETE') this.close(connectionId);
    else texts.push(JSON.parse(body.toString()));
    return { status: method === 'DELETE' ? 204 : 200 };
  }
}
