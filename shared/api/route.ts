import type { AnyEndpoint, Method, Route } from './endpoint.ts';

/** The path under which operations live. */
export const API_PREFIX = '/api/v1';

type Placed = Pick<AnyEndpoint, 'route' | 'at'>;

/** The whole path of an operation, names of parameters in braces. */
export const pathOf = ({ route, at }: Placed): string =>
  `${at === 'root' ? '' : API_PREFIX}${route.slice(route.indexOf(' ') + 1)}`;

/** Method and whole path, as the gateway knows an operation. */
export const gatewayRouteOf = (endpoint: Placed): Route =>
  `${endpoint.route.split(' ')[0]} ${pathOf(endpoint)}` as Route;

/** The same as documents write it: a parameter that takes the rest of the path is one like any other. */
export const templateOf = (endpoint: Placed): string => pathOf(endpoint).replace('+}', '}');

const isParameter = (segment: string): boolean => segment.startsWith('{');
const isGreedy = (segment: string | undefined): boolean => segment?.endsWith('+}') ?? false;

/** The names of a path's parameters. */
export const pathParametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);

/** Sorts before that of every path which has a parameter where this one has a literal first. */
export const specificityOf = (pattern: string[]): string =>
  pattern.map((segment) => (isGreedy(segment) ? '2' : isParameter(segment) ? '1' : '0')).join('');

/**
 * The values of a path's parameters, each of them a segment, the last one perhaps the whole rest (`{name+}`); undefined
 * for another path. Nothing is empty.
 */
export function matchSegments(pattern: string[], segments: string[]): Record<string, string> | undefined {
  const last = pattern.length - 1;
  const takesRest = isGreedy(pattern[last]) && segments.length > pattern.length;
  if (segments.length !== pattern.length && !takesRest) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const given = takesRest && index === last ? segments.slice(last).join('/') : segments[index];
    // What is empty is no parameter; a path may end in a slash.
    if (given === undefined || (given === '' && expected !== '')) return undefined;
    if (isParameter(expected)) for (const name of pathParametersOf(expected)) parameters[name] = given;
    else if (given !== expected) return undefined;
  }
  return parameters;
}

/** The methods that a path has, or the paths of a template. */
export function methodsOf(path: string, routes: Route[]): Method[] {
  const segments = path.split('/').slice(1);
  return routes.flatMap((route) => {
    const [method, pattern = ''] = route.split(' ') as [Method, string];
    return matchSegments(pattern.split('/').slice(1), segments) ? [method] : [];
  });
}

/** All that a path with these methods can be asked, sorted. */
export const allowedMethods = (methods: string[]): string[] =>
  [...new Set([...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])])].sort();

const STANDS_FOR: readonly string[] = ['PATCH', 'PUT', 'DELETE'];

/** Of the endpoints of one path the one that a POST goes to, where there is none of its own: it may name that method. */
export const findPostTarget = (ofPath: AnyEndpoint[]): AnyEndpoint | undefined => {
  const methods = ofPath.map(({ route }) => route.split(' ')[0] ?? '');
  if (methods.includes('POST')) return undefined;
  const method = STANDS_FOR.find((one) => methods.includes(one));
  return ofPath[methods.indexOf(method ?? '')];
};
