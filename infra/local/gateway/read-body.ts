import type { IncomingMessage } from 'node:http';

/** API Gateway's own limit. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Whether the request announces a body over the limit. */
export const announcesTooMuch = (request: IncomingMessage): boolean =>
  Number(request.headers['content-length']) > MAX_BODY_BYTES;

/**
 * The body; undefined as soon as it exceeds 10 MB, and the rest is discarded. Rejects when the client
 * disconnects.
 */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let byteCount = 0;
    const giveUp = (): void => {
      chunks = [];
      resolve(undefined);
    };
    request.on('data', (chunk: Buffer) => {
      byteCount += chunk.length;
      if (byteCount > MAX_BODY_BYTES) giveUp();
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => {
      // Each request closes, and an error takes a stack trace.
      if (!request.readableEnded) reject(new Error('The client went away'));
    });
    if (announcesTooMuch(request)) giveUp();
  });
}
