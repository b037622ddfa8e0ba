import type { DeclaredError } from '#shared/domain/errors.ts';
import type { HttpReply } from './http.ts';

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  Expires: '0',
  'Access-Control-Allow-Origin': '*',
  // Large replies are compressed for clients that accept gzip.
  Vary: 'Accept-Encoding',
};

const reply = (statusCode: number, body: object, extraHeaders: Record<string, string> = {}): HttpReply => ({
  statusCode,
  headers: { ...headers, ...extraHeaders },
  body: `${JSON.stringify(body)}\n`,
});

/** Reference, "Common conventions": `result`, `msg` and the endpoint's own fields. */
export function success(
  fields: object,
  ignored: string[],
  extraHeaders: Record<string, string> = {},
): HttpReply {
  const body = {
    result: 'success',
    msg: '',
    ...fields,
    ...(ignored.length > 0 && { ignored_parameters_unsupported: ignored }),
  };
  return reply(200, body, extraHeaders);
}

export function failure(error: DeclaredError): HttpReply {
  const body = {
    result: 'error',
    msg: error.message,
    ...(error.code && { code: error.code }),
    ...error.fields,
  };
  return reply(error.status, body, error.headers);
}

/** A client's view of an internal defect. Clients retry it. */
export function internalError(): HttpReply {
  return reply(500, { result: 'error', msg: 'Internal server error' });
}

/** The headers that scripts of other origins may send. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Range',
  'Range',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
].join(', ');

/** The answer to OPTIONS, which browsers send before a request of another origin. */
export function preflight(allowedMethods: string[], extraHeaders: Record<string, string> = {}): HttpReply {
  return {
    statusCode: 204,
    headers: {
      ...headers,
      Allow: allowedMethods.join(', '),
      'Access-Control-Allow-Methods': allowedMethods.join(', '),
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': '86400',
      ...extraHeaders,
    },
    body: '',
  };
}
