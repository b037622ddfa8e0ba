import type { HttpEvent } from '#shared/api/http.ts';

interface SamRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  bytes?: number[];
}

/** Requests to SAM's local gateway, and the expected event after the adapter. */
export const requests: { request: SamRequest; name: string; event: Partial<HttpEvent> }[] = [
  {
    request: {
      method: 'GET',
      path: '/api/v1/users/me?client_gravatar=true',
      headers: { Authorization: 'Basic eDp5' },
    },
    name: 'get-own-user',
    event: {
      version: '2.0',
      rawPath: '/api/v1/users/me',
      rawQueryString: 'client_gravatar=true',
      isBase64Encoded: false,
    },
  },
  {
    request: { method: 'HEAD', path: '/api/v1/server_settings' },
    name: 'answer-unrouted',
    event: { rawPath: '/api/v1/server_settings' },
  },
  {
    request: {
      method: 'POST',
      path: '/api/v1/user_uploads',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      bytes: [0, 255, 128, 10],
    },
    name: 'upload-file',
    event: { body: Buffer.from([0, 255, 128, 10]).toString('base64'), isBase64Encoded: true },
  },
  {
    request: { method: 'GET', path: '/user_uploads/1/ab/c%20d%C3%BC.png' },
    name: 'get-file',
    event: {
      rawPath: '/user_uploads/1/ab/c%20d%C3%BC.png',
      pathParameters: { realm_id_str: '1', filename: 'ab/c dü.png' },
    },
  },
  {
    request: { method: 'GET', path: '/api/v1/no-such-path', headers: { Cookie: 'a=b' } },
    name: 'answer-unrouted',
    event: { routeKey: '$default', rawPath: '/api/v1/no-such-path', cookies: ['a=b'] },
  },
  {
    request: { method: 'PUT', path: '/api/v1/server_settings' },
    name: 'answer-unrouted',
    event: { routeKey: '$default' },
  },
  {
    request: { method: 'OPTIONS', path: '/api/v1/messages' },
    name: 'answer-unrouted',
    event: { routeKey: '$default' },
  },
  { request: { method: 'GET', path: '/' }, name: 'answer-unrouted', event: { rawPath: '/' } },
];
