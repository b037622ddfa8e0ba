import type { Route } from './endpoint.ts';
import { findPostTarget, matchSegments, pathParametersOf, specificityOf, withoutSlash } from './route.ts';

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
