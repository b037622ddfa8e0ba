import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { OwnReply } from './envelope.ts';
import { type ByteRange, readByteRange } from './files/byte-range.ts';
import type { HttpEvent, HttpReply } from './http.ts';

const everyReply = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' };

/** The answer of a handler that redirects the client. */
export class Redirect implements OwnReply {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }

  toReply(): HttpReply {
    return {
      statusCode: 302,
      headers: { ...everyReply, Location: this.location, 'Cache-Control': 'private, no-cache' },
      body: '',
    };
  }
}

/** Scripts of other origins may read these headers too, because players load films in parts. */
const EXPOSED = 'Accept-Ranges, Content-Disposition, Content-Range, ETag';

/** The answer of a handler that sends a file. */
export class FileReply implements OwnReply {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Headers that differ from the headers of a public, immutable file. */
  readonly headers: Record<string, string>;

  constructor(bytes: Uint8Array, mediaType: string, headers: Record<string, string> = {}) {
    this.bytes = bytes;
    this.mediaType = mediaType;
    this.headers = headers;
  }

  /**
   * The file or the requested part of it. Its headers keep every browser from running it.
   * @throws RangeNotSatisfiable
   */
  toReply(request: HttpEvent): HttpReply {
    const { bytes, mediaType, headers } = this;
    const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    const range = findRange(request, tag, bytes.length);
    const sent = range ? bytes.subarray(range.first, range.last + 1) : bytes;
    return {
      statusCode: range ? 206 : 200,
      headers: {
        ...everyReply,
        'Content-Type': mediaType,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Access-Control-Expose-Headers': EXPOSED,
        'Accept-Ranges': 'bytes',
        ETag: tag,
        ...(range && { 'Content-Range': `bytes ${range.first}-${range.last}/${bytes.length}` }),
        ...headers,
      },
      body: Buffer.from(sent).toString('base64'),
      isBase64Encoded: true,
    };
  }
}

/** Ranges apply to GET only, and only to the version of the file that the client names, if it names one. */
function findRange({ headers, requestContext }: HttpEvent, tag: string, size: number): ByteRange | undefined {
  const condition = headers['if-range'];
  if (requestContext.http.method !== 'GET' || (condition !== undefined && condition !== tag))
    return undefined;
  return readByteRange(headers.range, size);
}

/** The answer of a handler that sends a JSON document without the envelope. */
export class JsonDocument implements OwnReply {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toReply(): HttpReply {
    return {
      statusCode: 200,
      headers: {
        ...everyReply,
        'Content-Type': 'application/json',
        'Cache-Control': 'no-cache',
        Vary: 'Accept-Encoding',
      },
      body: this.text,
    };
  }
}

/** The answer of a handler that is stated in headers; a body, if any, is JSON without the envelope. */
export class BareReply implements OwnReply {
  readonly statusCode: 200 | 201 | 204;
  readonly headers: Record<string, string>;
  readonly body: object | undefined;

  constructor(statusCode: 200 | 201 | 204, headers: Record<string, string>, body?: object) {
    this.statusCode = statusCode;
    this.headers = headers;
    this.body = body;
  }

  toReply(): HttpReply {
    const { statusCode, headers, body } = this;
    return {
      statusCode,
      headers: {
        ...everyReply,
        'Cache-Control': 'no-store',
        'Access-Control-Expose-Headers': Object.keys(headers).join(', '),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body ? JSON.stringify(body) : '',
    };
  }
}

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The answer of a handler that sends a page. The page can load only its own script and style and contact only
 * this service.
 */
export class PageReply implements OwnReply {
  readonly html: string;
  readonly script: string;
  readonly style: string;

  constructor({ html, script, style }: { html: string; script: string; style: string }) {
    this.html = html;
    this.script = script;
    this.style = style;
  }

  toReply(): HttpReply {
    const { html, script, style } = this;
    return {
      statusCode: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `default-src 'none'; script-src ${digestOf(script)}; style-src ${digestOf(style)}; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
        'X-Content-Type-Options': 'nosniff',
        // The address of a page may contain a key.
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      },
      body: html,
    };
  }
}

/** The result of an endpoint that answers with a page. */
export const page = z.instanceof(PageReply);
/** The result of an endpoint that answers with a page or redirects. */
export const pageOrAddress = z.union([z.instanceof(PageReply), z.instanceof(Redirect)]);
/** The result of an endpoint that redirects. */
export const redirect = z.instanceof(Redirect);
/** The result of an endpoint whose address identifies the bytes of a file, so the answer never changes. */
export const immutableFile = z.instanceof(FileReply);
/** The result of an endpoint that answers with any other file. */
export const file = z.instanceof(FileReply);
/** The result of an endpoint that answers with a file, or redirects to it when it is too large. */
export const fileOrAddress = z.union([z.instanceof(FileReply), z.instanceof(Redirect)]);
/** The result of an endpoint that describes the created thing in headers. */
export const created = z.instanceof(BareReply);
/** The result of an endpoint that reports progress in headers, and in the body the finished file. */
export const progress = z.instanceof(BareReply);
/** The result of an endpoint that reports progress in headers only. */
export const noContent = z.instanceof(BareReply);
/** The result of an endpoint that answers with a JSON document that no one may keep. */
export const privateDocument = z.instanceof(BareReply);
/** The same for an endpoint that created the thing that the document describes. */
export const createdDocument = z.instanceof(BareReply);
/** The result of an endpoint that answers with a JSON document. */
export const jsonDocument = z.instanceof(JsonDocument);
