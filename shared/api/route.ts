import { MethodNotAllowed } from '#shared/domain/errors.ts';
import type { AnyEndpoint, Method, Route } from './endpoint.ts';
import type { HttpEvent } from './http.ts';

/** The path prefix of all operations. */
export const API_PREFIX = '/api/v1';

type Placed = Pick<AnyEndpoint, 'route' | 'at'>;

/** The full path of an operation, with parameter names in braces. */
export const pathOf = ({ route, at }: Placed): string =>
  `${at === 'root' ? '' : API_PREFIX}${route.slice(route.indexOf(' ') + 1)}`;

/** Method and full path, as the gateway names an operation. */
export const gatewayRouteOf = (endpoint: Placed): Route =>
  `${endpoint.route.split(' ')[0]} ${pathOf(endpoint)}` as Route;

/** The same for documents, which show a parameter for the rest of the path like any other. */
export const templateOf = (endpoint: Placed): string => pathOf(endpoint).replace('+}', '}');

const isParameter = (segment: string): boolean => segment.startsWith('{');
const isGreedy = (segment = ''): boolean => segment.endsWith('+}');

/** The parameter names of a path. */
export const pathParametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);

/** A sort key that puts a path before every path that has a parameter where this one has a literal. */
export const specificityOf = (pattern: string[]): string =>
  pattern.map((segment) => (isGreedy(segment) ? '2' : isParameter(segment) ? '1' : '0')).join('');

/**
 * The values of a path's parameters: one segment each, or the whole rest for a final `{name+}`. Undefined
 * when the path does not match. Values are never empty.
 */
export function matchSegments(pattern: string[], segments: string[]): Record<string, string> | undefined {
  const values = alignSegments(pattern, segments);
  if (!values) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const input = values[index];
    // A parameter is never empty, and only `/` itself ends in a slash.
    if (input === undefined || (input === '' && expected !== '')) return undefined;
    if (isParameter(expected)) for (const name of pathParametersOf(expected)) parameters[name] = input;
    else if (input !== expected) return undefined;
  }
  return parameters;
}

/** One value for each segment of the pattern, the last for the whole rest of a path; undefined if they are too few or many. */
function alignSegments(pattern: string[], segments: string[]): string[] | undefined {
  const last = pattern.length - 1;
  if (isGreedy(pattern[last]) && segments.length > pattern.length)
    return [...segments.slice(0, last), segments.slice(last).join('/')];
  return segments.length === pattern.length ? segments : undefined;
}

/** The same path without a trailing slash, which no route has. */
export const withoutSlash = (segments: string[]): string[] =>
  segments.length > 1 && segments.at(-1) === '' ? segments.slice(0, -1) : segments;

/** Finds the methods that routes have for a path or path template. */
export function createMethodFinder(routes: Route[]): (path: string) => Method[] {
  const patterns = routes.map((route) => {
    const [method, path = ''] = route.split(' ') as [Method, string];
    return { method, segments: path.split('/').slice(1) };
  });
  const find = (input: string[]): Method[] =>
    patterns.flatMap(({ method, segments }) => (matchSegments(segments, input) ? [method] : []));
  return (path) => {
    const input = path.split('/').slice(1);
    const methods = find(input);
    return methods.length > 0 ? methods : find(withoutSlash(input));
  };
}

/** All methods that a path answers, including OPTIONS and HEAD, sorted. */
export const allowedMethods = (methods: string[]): string[] =>
  [...new Set([...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])])].sort();

const STANDS_FOR: readonly string[] = ['PATCH', 'PUT', 'DELETE'];

/**
 * Of the routes of one path, the route that receives a POST when no route is for POST, because the form may name
 * another method.
 */
export const findPostTarget = (ofPath: Route[]): Route | undefined => {
  const methods = ofPath.map((route) => route.split(' ')[0] ?? '');
  if (methods.includes('POST')) return undefined;
  const method = STANDS_FOR.find((stand) => methods.includes(stand));
  return ofPath[methods.indexOf(method ?? '')];
};

const FORM = 'application/x-www-form-urlencoded';

/**
 * The request with the method that the endpoint sees: a POST whose form says `method=PATCH` is a PATCH,
 * because some clients can only send POST.
 * @throws MethodNotAllowed for a POST that is not for this endpoint
 */
export function obeyMethod({ route }: AnyEndpoint, http: HttpEvent, pathMethods: string[]): HttpEvent {
  if (http.requestContext.http.method !== 'POST') return http;
  const [own = ''] = route.split(' ');
  if (askedMethod(http) !== own) throw new MethodNotAllowed(allowedMethods([...pathMethods, own]));
  const { requestContext } = http;
  return { ...http, requestContext: { ...requestContext, http: { ...requestContext.http, method: own } } };
}

/** The method named by the form of a POST; the last value wins, and the default is POST. */
function askedMethod({ headers, body = '', isBase64Encoded }: HttpEvent): string {
  const isForm = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === FORM;
  const form = isForm ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() : '';
  if (!form.includes('method=')) return 'POST';
  return new URLSearchParams(form).getAll('method').at(-1)?.toUpperCase() ?? 'POST';
}

export interface Match {
  /** The route that its endpoint declares. */
  route: Route;
  pathParameters: Record<string, string>;
}

interface Pattern {
  route: Route;
  method: string;
  segments: string[];
}

/**
 * Finds the route of a method and a decoded path. As in API Gateway, segments are whole and case-sensitive;
 * among several routes a literal segment wins over a parameter, from left to right, and that over one that takes
 * the rest. HEAD is answered like GET, a POST may name another method, and a trailing slash may be ignored: API
 * Gateway has no routes for these.
 */
export function createRouter(routes: Route[]): (method: string, segments: string[]) => Match | undefined {
  const patterns = [...routes.map((route) => toPattern(route)), ...listPostPatterns(routes)].sort((a, b) =>
    specificityOf(a.segments).localeCompare(specificityOf(b.segments)),
  );
  const literal = new Map(
    patterns
      .filter(({ route }) => pathParametersOf(route).length === 0)
      .map((pattern) => [nameOf(pattern), pattern]),
  );
  const find = (method: string, segments: string[]): Match | undefined => {
    // Most requests name a path without parameters. A decoded segment may hold a slash, so this is only a guess.
    const likely = literal.get(nameOf({ method, segments }));
    if (likely && matchSegments(likely.segments, segments))
      return { route: likely.route, pathParameters: {} };
    for (const pattern of patterns) {
      const pathParameters =
        pattern.method === method ? matchSegments(pattern.segments, segments) : undefined;
      if (pathParameters) return { route: pattern.route, pathParameters };
    }
    return undefined;
  };
  return (input, segments) => {
    const method = input === 'HEAD' ? 'GET' : input;
    return find(method, segments) ?? find(method, withoutSlash(segments));
  };
}

/** The patterns of POSTs that name another method. */
const listPostPatterns = (routes: Route[]): Pattern[] =>
  [...Map.groupBy(routes, (route) => route.slice(route.indexOf(' ')))].flatMap(([, ofPath]) => {
    const target = findPostTarget(ofPath);
    return target ? [toPattern(target, 'POST')] : [];
  });

const nameOf = ({ method, segments }: Omit<Pattern, 'route'>): string => `${method} ${segments.join('/')}`;

function toPattern(route: Route, method = route.split(' ')[0] ?? ''): Pattern {
  const [, path = ''] = route.split(' ');
  return { route, method, segments: path.split('/').slice(1) };
}
