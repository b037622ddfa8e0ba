import { ruleTexts } from '#infra/pages/permission-texts.ts';
import type { Allowed, AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Parameter, Parameters } from '#shared/api/parameters.ts';
import { pathOf, pathParametersOf } from '#shared/api/route.ts';
import { describeResponses, type ResponseObject } from './responses.ts';
import { type JsonSchema, toJsonSchema } from './schema.ts';

/** A recorded call: its parameters and the successful reply. */
export interface OperationExample {
  parameters: Record<string, unknown>;
  reply: unknown;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema?: JsonSchema;
  content?: { 'application/json': { schema: JsonSchema; example?: unknown } };
  example?: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: ParameterObject[];
  requestBody?: { required: boolean; content: Record<string, FormObject> };
  responses: Record<string, ResponseObject>;
  /** The types of events that a success may produce. */
  'x-events': string[];
  /** Of these scopes an API token needs one; absent if the operation refuses tokens. */
  'x-token-scopes'?: string[];
}

interface FormObject {
  schema: JsonSchema;
  encoding?: Record<string, { contentType: string }>;
  example?: Record<string, unknown>;
}

const CALLERS: Record<Allowed, string> = {
  anyone: 'Needs no account.',
  userOrAnonymous: 'For every account, and without one if the organization is open to the public.',
  user: 'For every account.',
  human: 'For every account but bots.',
  member: 'For every account but guests.',
  humanMember: 'For every account but guests and bots.',
  administrator: 'For administrators and owners.',
  owner: 'For owners.',
};

/** Either form of credentials is accepted. */
export const credentials: Record<string, string[]>[] = [{ basic: [] }, { session: [] }];

/** For endpoints that need no credentials. */
const SECURITY: Partial<Record<Allowed, Record<string, string[]>[]>> = {
  anyone: [],
  userOrAnonymous: [...credentials, {}],
};

const keyHeader: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of the caller’s choice, for instance a UUID. The same request with the same key gets the first answer again for 24 hours, with the header `Idempotent-Replayed`, and has no further effect.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

/** One operation, with its example if there is one. */
export function describeOperation(
  operationId: string,
  endpoint: AnyEndpoint,
  { area, example }: { area: string; example?: OperationExample | undefined },
): Operation {
  const [method = ''] = endpoint.route.split(' ');
  const path = pathOf(endpoint);
  const pathNames = new Set(pathParametersOf(path));
  const declared = Object.entries(endpoint.params as Parameters);
  const examples = example?.parameters ?? {};
  const inPath = declared
    .filter(([name]) => pathNames.has(name))
    .map(([name, parameter]) => describeParameter(name, parameter, 'path', examples[name]));
  const others = declared.filter(([name]) => !pathNames.has(name));
  // Bodies of DELETE and GET have no defined meaning; the service reads the query string of every method.
  const inBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const inQuery = inBody
    ? []
    : others.map(([name, parameter]) => describeParameter(name, parameter, 'query', examples[name]));
  return {
    operationId,
    summary: endpoint.summary,
    description: describeCallers(endpoint),
    tags: [area],
    security: describeSecurity(endpoint),
    parameters: [...inPath, ...inQuery, ...(endpoint.creates ? [keyHeader] : [])],
    ...(inBody &&
      (others.length > 0 || endpoint.files) && { requestBody: describeForm(endpoint, others, examples) }),
    responses: describeResponses(endpoint, inBody, example?.reply),
    'x-events': endpoint.emits,
    ...(endpoint.scope && { 'x-token-scopes': [endpoint.scope].flat() }),
  };
}

/** The kinds of credentials of which one lets the caller in. */
function describeSecurity({ allow, scope }: AnyEndpoint): Record<string, string[]>[] {
  const accepted = SECURITY[allow as Allowed] ?? credentials;
  return scope ? [...accepted, { token: [] }] : accepted;
}

/** Who may call, and the permissions that a call may need. */
function describeCallers({ allow, needs = [] }: AnyEndpoint): string {
  const texts = needs.map((name) => ruleTexts[name]);
  const permissions = texts.length > 0 ? ` Permissions decide who may ${texts.join('; ')}.` : '';
  return CALLERS[allow as Allowed] + permissions;
}

function describeParameter(
  name: string,
  parameter: Parameter<unknown>,
  place: 'path' | 'query',
  example: unknown,
): ParameterObject {
  const schema = toJsonSchema(parameter.schema, 'input');
  const shown = example !== undefined && { example };
  return {
    name,
    in: place,
    required: parameter.required,
    description: parameter.description,
    ...(place === 'query' && parameter.encoding === 'json'
      ? { content: { 'application/json': { schema, ...shown } } }
      : { schema, ...shown }),
  };
}

function describeForm(
  { files }: AnyEndpoint,
  declared: [string, Parameter<unknown>][],
  examples: Record<string, unknown>,
): NonNullable<Operation['requestBody']> {
  const required = declared.filter(([, parameter]) => parameter.required).map(([name]) => name);
  const properties = declared.map(([name, parameter]) => [
    name,
    { ...toJsonSchema(parameter.schema, 'input'), description: parameter.description },
  ]);
  const encoded = declared.filter(([, parameter]) => parameter.encoding === 'json');
  const shown = declared.flatMap(([name]) => (name in examples ? [[name, examples[name]]] : []));
  const form: FormObject = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      // Files may have any field name.
      ...(files && { additionalProperties: { type: 'string', format: 'binary' } }),
    },
    ...(encoded.length > 0 && {
      encoding: Object.fromEntries(encoded.map(([name]) => [name, { contentType: 'application/json' }])),
    }),
    ...(shown.length > 0 && { example: Object.fromEntries(shown) }),
  };
  const needsFiles = files !== undefined && !files.isOptional;
  const mediaTypes = [
    ...(files ? ['multipart/form-data'] : []),
    ...(needsFiles ? [] : ['application/x-www-form-urlencoded']),
  ];
  return {
    required: required.length > 0 || needsFiles,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, form])),
  };
}
