import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure } from '#shared/api/envelope.ts';
import { BadRequest } from '#shared/domain/errors.ts';

const STATUS_LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
/** How long a client may keep sending, so that it can read the answer. */
const GRACE_MS = 1_000;

/**
 * Answers malformed HTTP in the protocol's envelope and closes the connection. Requests that came before on
 * the same connection keep their answers.
 */
export class MalformedRequests {
  readonly #responses = new WeakMap<Duplex, ServerResponse>();
  readonly #refused = new WeakSet<Duplex>();

  /** Notes the answer that a connection waits for. */
  note(socket: Duplex, response: ServerResponse): void {
    this.#responses.set(socket, response);
  }

  refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    // Everything else that the client sends fails too.
    if (this.#refused.has(socket)) return;
    if (this.#isAnswering(socket) || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    const { headers, body } = failure(new BadRequest('The request is not valid HTTP'));
    const head = {
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    const statusLine = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
    socket.end(`HTTP/1.1 ${statusLine}\r\n${lines.join('')}\r\n${body}`);
    // Closing at once, while the client sends, would lose the answer.
    const over = setTimeout(() => socket.destroy(), GRACE_MS);
    socket.once('close', () => clearTimeout(over));
  }

  #isAnswering(socket: Duplex): boolean {
    const response = this.#responses.get(socket);
    if (!response || response.writableFinished) return false;
    return response.headersSent || response.req.complete;
  }
}
