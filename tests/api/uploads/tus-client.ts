import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';

/** The bytes that fit into one request. */
export const PIECE_BYTES = 4 * 1024 * 1024;
export const PIECE = 'application/offset+octet-stream';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A client of the protocol of resumable uploads, version 1.0.0, as https://tus.io describes it. */
export class TusClient {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<Reply> {
    return sendTo(this.#client.url + path, {
      method,
      headers: { authorization: this.#client.authorization, 'tus-resumable': '1.0.0', ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });
  }

  begin(length: number, name = 'film.mp4', type = 'video/mp4'): Promise<Reply> {
    const metadata = `filename ${base64(name)},filetype ${base64(type)}`;
    const headers = { 'upload-length': String(length), 'upload-metadata': metadata };
    return this.send('POST', '/api/v1/tus/', headers);
  }

  /** Begins an upload and returns its address. */
  async at(length: number, name?: string, type?: string): Promise<string> {
    return (await this.begin(length, name, type)).headers.get('location') ?? '';
  }

  piece(address: string, offset: number, bytes: Uint8Array): Promise<Reply> {
    return this.send('PATCH', address, { 'upload-offset': String(offset), 'content-type': PIECE }, bytes);
  }

  /** Sends a whole file in pieces and returns the answer to the last one. */
  async upload(bytes: Uint8Array, name?: string, type?: string): Promise<Reply> {
    const address = await this.at(bytes.length, name, type);
    for (let offset = 0; ; offset += PIECE_BYTES) {
      const reply = await this.piece(address, offset, bytes.subarray(offset, offset + PIECE_BYTES));
      if (offset + PIECE_BYTES >= bytes.length) return reply;
    }
  }

  async offsetOf(address: string): Promise<number> {
    return Number((await this.send('HEAD', address)).headers.get('upload-offset'));
  }
}
