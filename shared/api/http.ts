import { BadRequest, BodyTooLarge } from '#shared/domain/errors.ts';
import { PIECE_TYPE } from '#shared/domain/uploads/tus.ts';
import type { FormFile } from './files/uploads.ts';
import type { ParameterTexts } from './parameters.ts';

/** The part of an API Gateway event (HTTP API, payload format 2.0) that the edge reads. */
export interface HttpEvent {
  version: '2.0';
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string | undefined>;
  /** Each as `name=value`. */
  cookies?: string[];
  pathParameters?: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded: boolean;
  requestContext: {
    requestId: string;
    domainName: string;
    http: { method: string; path: string; sourceIp: string };
  };
}

export interface HttpReply {
  statusCode: number;
  headers: Record<string, string>;
  /** Each becomes a header `Set-Cookie`. */
  cookies?: string[] | undefined;
  body: string;
  /** The body is base64-encoded bytes. */
  isBase64Encoded?: boolean;
}

/** The content of a request besides its headers. */
export interface RequestContent {
  texts: ParameterTexts;
  /** Files of a multipart body. */
  files: FormFile[];
  /** The body, when it is a piece of a file. */
  piece?: Uint8Array;
}

interface Body {
  piece?: Uint8Array;
  texts: Map<string, string>;
  files: FormFile[];
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });
/** The largest file and room for parameters. In base64 it still fits into the 6 MB of a function's event. */
const MAX_MULTIPART_BYTES = MAX_BODY_BYTES + 64 * 1024;

/**
 * Decodes path, query string and a form-encoded or multipart body; with `takesJson` a JSON body is the parameter `body`. When a parameter is repeated the last
 * value wins.
 * @throws BodyTooLarge above 4 MiB, plus the framing of a multipart body; BadRequest for text that is not in
 * its declared form
 */
export async function decodeContent(event: HttpEvent, takesJson = false): Promise<RequestContent> {
  const path = new Map<string, string>();
  for (const [name, value] of Object.entries(event.pathParameters ?? {}))
    if (value !== undefined) path.set(name, value);
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(event.requestContext.http.method);
  const query = decodeForm(event.rawQueryString ?? '', 'query string');
  const body: Body = hasBody ? await decodeBody(event, takesJson) : { texts: new Map(), files: [] };
  const { texts, ...rest } = body;
  return { texts: { path, query, body: texts }, ...rest };
}

/** The bytes of the body. */
export const bodyOf = ({ body = '', isBase64Encoded }: HttpEvent): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** JSON, and what browsers report about pages. */
const JSON_TYPES = new Set<string | undefined>(['application/json', 'application/csp-report']);

async function decodeBody(event: HttpEvent, takesJson: boolean): Promise<Body> {
  const bytes = bodyOf(event);
  const contentType = event.headers['content-type'] ?? '';
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
  const isMultipart = mediaType === 'multipart/form-data';
  if (bytes.length > (isMultipart ? MAX_MULTIPART_BYTES : MAX_BODY_BYTES)) throw new BodyTooLarge();
  if (isMultipart) return decodeMultipart(bytes, contentType);
  if (mediaType === PIECE_TYPE) return { texts: new Map(), files: [], piece: bytes };
  if (takesJson && JSON_TYPES.has(mediaType))
    return { texts: new Map([['body', decodeUtf8(bytes)]]), files: [] };
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  return { texts: isForm ? decodeForm(decodeUtf8(bytes), 'request body') : new Map(), files: [] };
}

function decodeForm(encoded: string, source: string): Map<string, string> {
  const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    return new Map(
      encoded
        .split('&')
        .filter((pair) => pair !== '')
        .map((pair) => {
          const [name = '', ...value] = pair.split('=');
          return [decode(name), decode(value.join('='))];
        }),
    );
  } catch {
    throw new BadRequest(`The ${source} is not correctly encoded`);
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BadRequest('The request body is not valid UTF-8');
  }
}

async function decodeMultipart(bytes: Buffer, contentType: string): Promise<Body> {
  const body: Body = { texts: new Map(), files: [] };
  try {
    const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } });
    for (const [name, value] of await response.formData())
      if (typeof value === 'string') body.texts.set(name, value);
      else body.files.push({ field: name, file: value });
  } catch {
    throw new BadRequest('The multipart body is malformed');
  }
  return body;
}

/** The name of the calling program: the parameter `client`, else the product name of User-Agent. */
export function clientName(event: HttpEvent, texts: ParameterTexts): string {
  const input = texts.body.get('client') ?? texts.query.get('client');
  const named = input ?? /^([^/ (;]+)/.exec(event.headers['user-agent'] ?? '')?.[1] ?? '';
  return named.trim().slice(0, 30).toWellFormed() || 'Unspecified';
}
