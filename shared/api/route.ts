import type { AnyEndpoint, Route } from './endpoint.ts';

/** The path under which operations live. */
export const API_PREFIX = '/api/v1';

type Placed = Pick<AnyEndpoint, 'route' | 'at'>;

/** The whole path of an operation, names of parameters in braces. */
export const pathOf = ({ route, at }: Placed): string =>
  `${at === 'root' ? '' : API_PREFIX}${route.slice(route.indexOf(' ') + 1)}`;

/** Method and whole path, as the gateway knows an operation. */
export const gatewayRouteOf = (endpoint: Placed): Route =>
  `${endpoint.route.split(' ')[0]} ${pathOf(endpoint)}` as Route;
