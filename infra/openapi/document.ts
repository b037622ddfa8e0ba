import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { templateOf } from '#shared/api/route.ts';
import { describeErrors } from './errors.ts';
import { credentials, describeOperation, type Operation, type OperationExample } from './operation.ts';
import { envelopeSchema, headerComponents } from './responses.ts';
import type { JsonSchema } from './schema.ts';

export interface ApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; summary: string; description: string; license: object };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}

export interface DocumentOptions {
  title: string;
  version?: string;
  /** The area of an operation, which groups the document; without it there is one group. */
  areaOf?: (operationId: string) => string;
  /** Recorded calls, by operation. */
  examples?: Record<string, OperationExample>;
}

const SUMMARY = 'Topic-based team chat: channels, topics, direct messages, and queues of events';
const DESCRIPTION = `Parameters are form-encoded, in the query string for GET and DELETE; values other than plain text
are JSON. A success has \`result\`, \`msg\` and the fields of its operation, an error \`result\`, \`msg\`, \`code\` and the fields
of that code. Events of the types that an operation names in \`x-events\` reach the queues of their audience.`;

const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'E-mail address, and API key or API token of the account',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token; `x-token-scopes` of an operation has the scopes of which it needs one',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description:
      'The cookie that `POST /api/v1/session` returned to a browser. Other methods than GET and HEAD must come from a page of the service, by `Sec-Fetch-Site` or `Origin`. Without encryption the name is `session-` and the port.',
  },
};

/** The OpenAPI 3.1 document of the operations. */
export function describeApi(
  endpoints: Record<string, AnyEndpoint>,
  { title, version = '1', areaOf = () => 'api', examples = {} }: DocumentOptions,
): ApiDocument {
  const paths: ApiDocument['paths'] = {};
  const areas = new Set<string>();
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const [method = ''] = endpoint.route.split(' ');
    const path = templateOf(endpoint);
    const area = areaOf(operationId);
    areas.add(area);
    const operation = describeOperation(operationId, endpoint, { area, example: examples[operationId] });
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  const { schemas, examples: errorExamples } = describeErrors();
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      summary: SUMMARY,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...areas].sort().map((name) => ({ name, description: `Operations on ${name}` })),
    security: credentials,
    paths,
    components: {
      securitySchemes,
      schemas: { Success: envelopeSchema, ...schemas } satisfies Record<string, JsonSchema>,
      headers: headerComponents,
      examples: errorExamples,
    },
  };
}
