import type { Route } from '#shared/api/endpoint.ts';
import { matchSegments, pathParametersOf, specificityOf } from '#shared/api/route.ts';

export interface Match {
  route: Route;
  pathParameters: Record<string, string>;
}

interface Pattern {
  route: Route;
  method: string;
  segments: string[];
}

/**
 * Finds the route of a method and a decoded path, as API Gateway does: whole, case-sensitive segments; among
 * several routes a literal segment wins over a parameter, from left to right, and that over one that takes
 * the rest.
 */
export function createRouter(routes: Route[]): (method: string, segments: string[]) => Match | undefined {
  const patterns = routes
    .map(toPattern)
    .sort((a, b) => specificityOf(a.segments).localeCompare(specificityOf(b.segments)));
  const literal = new Map(
    patterns
      .filter(({ route }) => pathParametersOf(route).length === 0)
      .map((pattern) => [nameOf(pattern), pattern]),
  );
  return (method, segments) => {
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
}

const nameOf = ({ method, segments }: Omit<Pattern, 'route'>): string => `${method} ${segments.join('/')}`;

function toPattern(route: Route): Pattern {
  const [method = '', path = ''] = route.split(' ');
  return { route, method, segments: path.split('/').slice(1) };
}
