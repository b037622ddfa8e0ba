import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import { mcpReply } from '#shared/api/mcp/reply.ts';
import {
  created,
  createdDocument,
  file,
  fileOrAddress,
  immutableFile,
  jsonDocument,
  noContent,
  page,
  pageOrAddress,
  privateDocument,
  progress,
  redirect,
} from '#shared/api/replies.ts';
import { pathParametersOf as namesInPath, pathOf } from '#shared/api/route.ts';
import { PIECE_TYPE } from '#shared/domain/uploads/tus.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Params, Reply } from '#tests/harness/client.ts';

/** A call as it goes over the wire: parameters already percent-encoded, in their places. */
export interface WireCall {
  method: string;
  path: string;
  /** Query string or form, by the method. */
  form: string;
}

/** A parameter as text. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const encodeAll = (params: Params): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, encodeURIComponent(toText(value))]),
  );

/** Whether it answers in the envelope of the protocol, and not with a file or another address. */
export const answersJson = ({ result }: AnyEndpoint): boolean =>
  result !== redirect &&
  result !== immutableFile &&
  result !== file &&
  result !== fileOrAddress &&
  result !== created &&
  result !== noContent &&
  result !== progress &&
  result !== jsonDocument &&
  result !== mcpReply &&
  result !== privateDocument &&
  result !== createdDocument &&
  result !== page &&
  result !== pageOrAddress;

/** The status of a success. */
export function successOf({ result }: AnyEndpoint): number {
  if (result === redirect) return 302;
  if (result === created || result === createdDocument) return 201;
  return result === noContent ? 204 : 200;
}

export const pathParametersOf = ({ route }: AnyEndpoint): string[] => namesInPath(route);

/** Node's size limit for the head of a request, with room for the rest of it. */
const MAX_PATH = 12_000;

/** Puts percent-encoded parameters into their places of the route. */
export function toWire(endpoint: AnyEndpoint, encoded: Record<string, string>): WireCall {
  const [method = ''] = endpoint.route.split(' ');
  const pattern = pathOf(endpoint);
  const inPath = pathParametersOf(endpoint);
  const path = pattern.replace(/\{(\w+)\+?\}/g, (_match, name: string) => encoded[name] ?? '0');
  const others = Object.entries(encoded).filter(([name]) => !inPath.includes(name));
  const form = others.map(([name, value]) => `${name}=${value}`).join('&');
  // Beside a piece of a file there is no form.
  return endpoint.takesPieces
    ? { method, path: `${path}?${form}`.slice(0, MAX_PATH), form: '' }
    : { method, path, form };
}

/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const BOUNDARY = 'a-boundary-of-the-laws';

/** The body of a call: its form, or a multipart body with pictures if the endpoint accepts files. */
export function toBody(
  { files, takesPieces }: AnyEndpoint,
  form: string,
): { contentType: string; bytes: Buffer } {
  if (takesPieces) return { contentType: PIECE_TYPE, bytes: Buffer.from('a') };
  if (!files) return { contentType: 'application/x-www-form-urlencoded', bytes: Buffer.from(form) };
  const part = (head: string, content: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]);
  const texts = form
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('='))
    .map(([name, value = '']) => part(`name="${name}"`, toBytes(value)));
  const pictures = Array.from({ length: files.count }, (_, index) =>
    part(`name="file${index}"; filename="picture.png"\r\nContent-Type: image/png`, PICTURE),
  );
  return {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([...texts, ...pictures, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

/** The decoded bytes of a percent-encoded text, which need not be UTF-8. */
const toBytes = (encoded: string): Buffer =>
  Buffer.from(
    encoded.replace(/%([0-9a-f]{1,2})/gi, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  );

/** The same call as API Gateway hands it to a function. */
export function toGatewayEvent(endpoint: AnyEndpoint, params: Params, authorization: string): HttpEvent {
  const encoded = encodeAll(params);
  const { method, path, form } = toWire(endpoint, encoded);
  const [rawPath = '', rawQueryString = ''] = path.split('?');
  const isQuery = method === 'GET';
  const { contentType, bytes } = toBody(endpoint, form);
  const pathParameters = Object.fromEntries(
    pathParametersOf(endpoint).map((name) => [name, toText(params[name])]),
  );
  return {
    version: '2.0',
    routeKey: endpoint.route,
    rawPath,
    rawQueryString: isQuery ? form : rawQueryString,
    headers: { authorization, 'content-type': contentType, 'user-agent': 'Laws/1.0' },
    pathParameters,
    ...(!isQuery && { body: bytes.toString('base64') }),
    isBase64Encoded: !isQuery,
    requestContext: { requestId: 'x', domainName: 'x', http: { method, path, sourceIp: '127.0.0.1' } },
  };
}

/** Calls an endpoint over HTTP with these credentials, or with none. */
export function callAs(
  serviceUrl: string,
  endpoint: AnyEndpoint,
  params: Params,
  authorization?: string,
): Promise<Reply> {
  const { method, path, form } = toWire(endpoint, encodeAll(params));
  const isQuery = method === 'GET';
  const { contentType, bytes } = toBody(endpoint, form);
  return sendTo(serviceUrl + (isQuery && form ? `${path}?${form}` : path), {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(!isQuery && { 'content-type': contentType }),
    },
    ...(!isQuery && { body: new Uint8Array(bytes) }),
  });
}
