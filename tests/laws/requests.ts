import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import type { Params } from '#tests/harness/client.ts';

/** A call as it goes over the wire: parameters already percent-encoded, in their places. */
export interface WireCall {
  method: string;
  path: string;
  /** Query string or form, by the method. */
  form: string;
}

/** What a parameter looks like as text. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const encodeAll = (params: Params): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, encodeURIComponent(toText(value))]),
  );

export const pathParametersOf = ({ route }: AnyEndpoint): string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Puts percent-encoded parameters where the route wants them. */
export function toWire(endpoint: AnyEndpoint, encoded: Record<string, string>): WireCall {
  const [method = '', pattern = ''] = endpoint.route.split(' ');
  const inPath = pathParametersOf(endpoint);
  const path = pattern.replace(/\{(\w+)\}/g, (_match, name: string) => encoded[name] ?? '0');
  const others = Object.entries(encoded).filter(([name]) => !inPath.includes(name));
  return { method, path, form: others.map(([name, value]) => `${name}=${value}`).join('&') };
}

/** The same call as API Gateway hands it to a function. */
export function toGatewayEvent(endpoint: AnyEndpoint, params: Params, authorization: string): HttpEvent {
  const encoded = encodeAll(params);
  const { method, path, form } = toWire(endpoint, encoded);
  const isQuery = method === 'GET';
  const pathParameters = Object.fromEntries(
    pathParametersOf(endpoint).map((name) => [name, toText(params[name])]),
  );
  return {
    version: '2.0',
    routeKey: endpoint.route,
    rawPath: `/api/v1${path}`,
    rawQueryString: isQuery ? form : '',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    pathParameters,
    ...(!isQuery && { body: form }),
    isBase64Encoded: false,
    requestContext: { requestId: 'x', domainName: 'x', http: { method, path, sourceIp: '127.0.0.1' } },
  };
}
