import { expect } from 'vitest';
import * as z from 'zod/mini';
import { isClosedToAll, needsData } from '#shared/api/auth/access.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { matchSegments } from '#shared/api/route.ts';
import {
  type DeclaredErrorClass,
  IdempotencyKeyReused,
  InvalidIdempotencyKey,
} from '#shared/domain/errors.ts';

/** The documentation of `Idempotency-Key` for operations that create something. */
const ERRORS_OF_KEYS = [InvalidIdempotencyKey, IdempotencyKeyReused];

/** Codes of any endpoint: the codes of the edge itself. */
const EDGE_CODES = new Set<string | undefined>([
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_CONFUSING_VAR',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'INSUFFICIENT_SCOPE',
  'USER_DEACTIVATED',
  'UNAUTHORIZED_PRINCIPAL',
  'RATE_LIMIT_HIT',
]);

interface AnyReply {
  status: number;
  body: Record<string, unknown>;
}

/** Fails if a reply violates its endpoint's declaration: the envelope, the result's shape, or the error's code. */
export function checkReply(
  registry: Record<string, AnyEndpoint>,
  method: string,
  path: string,
  reply: AnyReply,
): void {
  const endpoint = findEndpoint(registry, method, path);
  if (!endpoint || method === 'HEAD') return;
  const faults =
    reply.status === 200 && reply.body.result !== 'error'
      ? faultsOfSuccess(endpoint, reply.body)
      : faultsOfError(endpoint, reply);
  // Replies may be large, and are written down only for the person who looks for the fault.
  if (faults.length > 0)
    expect(faults, `${endpoint.route}: ${JSON.stringify(reply.body)?.slice(0, 600)}`).toEqual([]);
}

function faultsOfSuccess(endpoint: AnyEndpoint, body: Record<string, unknown>): unknown[] {
  const { result, msg, ignored_parameters_unsupported: _ignored, ...fields } = body;
  const hasOwnMessage = endpoint.result instanceof z.ZodMiniObject && 'msg' in endpoint.result.shape;
  const parsed = z.safeParse(endpoint.result, hasOwnMessage ? { ...fields, msg } : fields);
  const isEnveloped = result === 'success' && (hasOwnMessage || msg === '');
  return [
    ...(isEnveloped ? [] : [{ result, msg }]),
    ...(parsed.success ? listUndeclared(fields, parsed.data) : parsed.error.issues),
  ];
}

/** The fields that a declaration leaves out. A client that reads by it does not see them. */
function listUndeclared(given: unknown, declared: unknown, path = ''): string[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([name, value]) => {
    const one = `${path}/${name}`;
    const known = (declared as Record<string, unknown> | null)?.[name];
    return known === undefined && value !== undefined
      ? [`a field that is not declared: ${one}`]
      : listUndeclared(value, known, one);
  });
}

function faultsOfError(endpoint: AnyEndpoint, { status, body }: AnyReply): unknown[] {
  const { result, msg, code } = body;
  const isDeclared =
    EDGE_CODES.has(code as string | undefined) ||
    declaredCodes(endpoint).includes(code) ||
    (code === 'REALM_DEACTIVATED' && (isClosedToAll(endpoint) || needsData(endpoint)));
  const isOthersFault = status === 502 && declaredCodes(endpoint).includes(code);
  const isEnveloped = result === 'error' && typeof msg === 'string';
  return [
    ...(status < 500 || isOthersFault ? [] : [`never a 5xx: ${status}`]),
    ...(isEnveloped ? [] : [{ result, msg }]),
    ...(isDeclared ? [] : [`a code that is not declared: ${code}`]),
  ];
}

/** The codes of the error classes; a class declares its code as a constant of each instance. */
const declaredCodes = (endpoint: AnyEndpoint): unknown[] =>
  [...endpoint.errors, ...(endpoint.creates ? ERRORS_OF_KEYS : [])].map(
    (declared: DeclaredErrorClass) => new declared('').code,
  );

interface KnownRoute {
  method: string;
  pattern: string[];
  endpoint: AnyEndpoint;
}

const routesOf = new WeakMap<Record<string, AnyEndpoint>, KnownRoute[]>();

/** Literal segments win over parameters. */
function listRoutes(registry: Record<string, AnyEndpoint>): KnownRoute[] {
  const known = routesOf.get(registry);
  if (known) return known;
  const routes = Object.values(registry)
    // Clients of tests request paths below that of the API.
    .filter(({ at }) => at !== 'root')
    .map((endpoint) => {
      const [method = '', path = ''] = endpoint.route.split(' ');
      return { method, pattern: path.split('/').slice(1), endpoint };
    })
    .sort((a, b) => countParameters(a) - countParameters(b));
  routesOf.set(registry, routes);
  return routes;
}

const countParameters = ({ endpoint }: KnownRoute): number => endpoint.route.split('{').length;

/** The endpoint whose route takes a request. */
export function findEndpoint(
  registry: Record<string, AnyEndpoint>,
  method: string,
  path: string,
): AnyEndpoint | undefined {
  const segments = path.split('/').slice(1);
  return listRoutes(registry).find(
    (route) => route.method === method && matchSegments(route.pattern, segments) !== undefined,
  )?.endpoint;
}
