import type { AnyEndpoint, Method, Route } from './endpoint.ts';

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
