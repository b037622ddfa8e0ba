import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { devFetchApiKey } from './dev-fetch-api-key.ts';

/** What the local service serves: everything that AWS does, and what only a development server may offer. */
export const localEndpoints = { ...endpoints, devFetchApiKey } satisfies Record<string, AnyEndpoint>;
