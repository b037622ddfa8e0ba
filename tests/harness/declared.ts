import { expect } from 'vitest';
import * as z from 'zod/mini';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { matchSegments } from '#shared/api/route.ts';
import {
  type DeclaredErrorClass,
  IdempotencyKeyReused,
  InvalidIdempotencyKey,
} from '#shared/domain/errors.ts';

/** What operations that create something say of `Idempotency-Key`. */
const ERRORS_OF_KEYS = [InvalidIdempotencyKey, IdempotencyKeyReused];

/** Codes that any endpoint may answer with: those of the edge itself. */
const EDGE_CODES = new Set<string | undefined>([
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_CONFUSING_VAR',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'UNAUTHORIZED_PRINCIPAL',
  'RATE_LIMIT_HIT',
]);

interface AnyReply {
  status: number;
  body: Record<string, unknown>;
}

/** Fails when a reply is not what its endpoint declares: the envelope, the result's shape, or the error's code. */
export function checkReply(
  registry: Record<string, AnyEndpoint>,
  method: string,
  path: string,
  reply: AnyReply,
): void {
  const endpoint = findEndpoint(registry, method, path);
  if (!endpoint || method === 'HEAD') return;
  const what = `${endpoint.route}: ${JSON.stringify(reply.body)?.slice(0, 600)}`;
  const isOthersFault = reply.status === 502 && declaredCodes(endpoint).includes(reply.body.code);
  if (!isOthersFault) expect(reply.status, `never a 5xx. ${what}`).toBeLessThan(500);
  if (reply.status === 200) {
    checkSuccess(endpoint, reply.body, what);
    return;
  }
  expect(reply.body.result, what).toBe('error');
  expect(typeof reply.body.msg, what).toBe('string');
  const code = reply.body.code as string | undefined;
  if (!EDGE_CODES.has(code)) expect(declaredCodes(endpoint), what).toContain(code);
}

function checkSuccess(endpoint: AnyEndpoint, body: Record<string, unknown>, what: string): void {
  expect(body, what).toMatchObject({ result: 'success', msg: '' });
  const { result: _result, msg: _msg, ignored_parameters_unsupported: _ignored, ...fields } = body;
  const parsed = z.safeParse(endpoint.result, fields);
  expect(parsed.success ? [] : parsed.error.issues, what).toEqual([]);
}

/** The codes of the error classes; a class declares its code as a constant of each instance. */
const declaredCodes = (endpoint: AnyEndpoint): unknown[] =>
  [...endpoint.errors, ...(endpoint.creates ? ERRORS_OF_KEYS : [])].map(
    (declared: DeclaredErrorClass) => new declared('').code,
  );

/** The endpoint whose route takes a request; literal segments win over parameters. */
export function findEndpoint(
  registry: Record<string, AnyEndpoint>,
  method: string,
  path: string,
): AnyEndpoint | undefined {
  const segments = path.split('/').slice(1);
  const candidates = Object.values(registry).filter(({ route }) => {
    const [routeMethod, pattern = ''] = route.split(' ');
    return routeMethod === method && matchSegments(pattern.split('/').slice(1), segments);
  });
  return candidates.sort((a, b) => a.route.split('{').length - b.route.split('{').length)[0];
}
