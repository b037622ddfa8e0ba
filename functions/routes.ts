import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { agentRoutes } from './routes/agents.ts';
import { channelRoutes } from './routes/channels.ts';
import { integrationRoutes } from './routes/integrations.ts';
import { messageRoutes } from './routes/messages.ts';
import { organizationRoutes } from './routes/organization.ts';
import { ownRoutes } from './routes/own-things.ts';
import { peopleRoutes } from './routes/people.ts';
import { uploadRoutes } from './routes/uploads.ts';

/**
 * The registry: all operations by name. Infrastructure, local service, API document and tests are generated
 * from it. The name of an entry is the name of its file, its Lambda function and its tests.
 */
export const endpoints = {
  ...peopleRoutes,
  ...channelRoutes,
  ...messageRoutes,
  ...ownRoutes,
  ...organizationRoutes,
  ...uploadRoutes,
  ...agentRoutes,
  ...integrationRoutes,
} satisfies Record<string, AnyEndpoint>;
