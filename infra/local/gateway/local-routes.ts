import { endpoints } from '#functions/routes.ts';
import { devFetchApiKey } from '#infra/local/dev-fetch-api-key.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';

/** The operations of the local service: all those of AWS, and those for development only. */
export const localEndpoints = { ...endpoints, devFetchApiKey } satisfies Record<string, AnyEndpoint>;
