import * as z from 'zod/mini';
import type { HttpReply } from './http.ts';

/** What a handler returns that sends the client to another address. */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** What a handler returns whose answer is a file. */
export class FileReply {
  readonly bytes: Uint8Array;
  readonly mediaType: string;

  constructor(bytes: Uint8Array, mediaType: string) {
    this.bytes = bytes;
    this.mediaType = mediaType;
  }
}

/** What a handler returns whose answer is a JSON document of its own form, not in the envelope. */
export class JsonDocument {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The result of an endpoint that redirects. */
export const redirect = z.instanceof(Redirect);
/** The result of an endpoint that answers with a file whose address stands for its bytes, so that it never changes. */
export const immutableFile = z.instanceof(FileReply);

/** The result of an endpoint that answers with such a document. */
export const jsonDocument = z.instanceof(JsonDocument);

const everyReply = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' };

export const redirectReply = ({ location }: Redirect): HttpReply => ({
  statusCode: 302,
  headers: { ...everyReply, Location: location, 'Cache-Control': 'private, no-cache' },
  body: '',
});

/** Whatever a browser makes of the file, it runs nothing. */
export const fileReply = ({ bytes, mediaType }: FileReply): HttpReply => ({
  statusCode: 200,
  headers: {
    ...everyReply,
    'Content-Type': mediaType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  },
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
});

export const documentReply = ({ text }: JsonDocument): HttpReply => ({
  statusCode: 200,
  headers: {
    ...everyReply,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
  },
  body: text,
});
