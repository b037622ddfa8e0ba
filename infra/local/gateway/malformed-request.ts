import type { Duplex } from 'node:stream';
import { failure } from '#shared/api/envelope.ts';
import { BadRequest } from '#shared/domain/errors.ts';

const STATUS_LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers malformed HTTP in the protocol's envelope and closes the connection. */
export function refuseMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // An answer is under way, or the client is gone.
  const isAnswered = 'bytesWritten' in socket && socket.bytesWritten !== 0;
  if (isAnswered || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { headers, body } = failure(new BadRequest('The request is not valid HTTP'));
  const head = {
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const statusLine = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${statusLine}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
