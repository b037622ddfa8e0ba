import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { getServerSettings } from './server/get-server-settings.ts';

/**
 * The registry: every operation by its name. Infrastructure, the local service, the API document and the tests
 * are made from it. The name of an entry is the name of its file, of its Lambda function and of its tests.
 */
export const endpoints = {
  getServerSettings,
} satisfies Record<string, AnyEndpoint>;
