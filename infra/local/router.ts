import type { Route } from '#shared/api/endpoint.ts';

export interface Match {
  route: Route;
  pathParameters: Record<string, string>;
}

interface Pattern {
  route: Route;
  method: string;
  segments: string[];
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/**
 * Finds the route of a method and a decoded path, as API Gateway does: whole segments, letter case
 * counts, and where several routes match, a literal segment beats a parameter from left to right.
 */
export function createRouter(routes: Route[]): (method: string, segments: string[]) => Match | undefined {
  const patterns = routes.map(toPattern).sort((a, b) => specificity(a).localeCompare(specificity(b)));
  return (method, segments) => {
    for (const pattern of patterns) {
      const pathParameters =
        pattern.method === method ? matchSegments(pattern.segments, segments) : undefined;
      if (pathParameters) return { route: pattern.route, pathParameters };
    }
    return undefined;
  };
}

function toPattern(route: Route): Pattern {
  const [method = '', path = ''] = route.split(' ', 2);
  return { route, method, segments: path.split('/').slice(1) };
}

/** Sorts before that of every pattern which has a parameter where this one has a literal first. */
const specificity = ({ segments }: Pattern): string =>
  segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const given = segments[index];
    if (!given) return undefined;
    if (isParameter(expected)) parameters[expected.slice(1, -1)] = given;
    else if (given !== expected) return undefined;
  }
  return parameters;
}
