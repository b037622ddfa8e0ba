import { isClosedToAll, needsData } from '#shared/api/auth/access.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { mcpReply } from '#shared/api/mcp/reply.ts';
import type { Parameter, Parameters } from '#shared/api/parameters.ts';
import {
  created,
  createdDocument,
  file,
  fileOrAddress,
  immutableFile,
  jsonDocument,
  noContent,
  page,
  pageOrAddress,
  privateDocument,
  progress,
  redirect,
} from '#shared/api/replies.ts';
import { InsufficientScope } from '#shared/domain/api-tokens/errors.ts';
import {
  BadRequest,
  BodyTooLarge,
  ConfusingArguments,
  type DeclaredErrorClass,
  IdempotencyKeyReused,
  InvalidApiKey,
  InvalidIdempotencyKey,
  MissingArgument,
  RateLimitHit,
  Unauthorized,
  UserDeactivated,
} from '#shared/domain/errors.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import { RangeNotSatisfiable } from '#shared/domain/uploads/errors.ts';
import { ForeignRequest } from '#shared/domain/users/sessions/errors.ts';
import { type DescribedError, describeError } from './errors.ts';
import { type JsonSchema, toJsonSchema } from './schema.ts';

interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, object>;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, MediaType>;
}

const LIMIT_HEADERS = {
  'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
};

const REPLAYED_HEADER = { $ref: '#/components/headers/IdempotentReplayed' };

const header = (description: string, type: string) => ({ description, schema: { type } });
const FILE_HEADERS = {
  'Accept-Ranges': header('`bytes`: ranges are supported', 'string'),
  ETag: header('Names these bytes, for `If-Range`', 'string'),
};
const TUS_HEADERS = {
  'Tus-Resumable': header('The version of the protocol', 'string'),
  'Upload-Offset': header('The offset of the next piece', 'integer'),
  'Upload-Length': header('The bytes of the file', 'integer'),
  'Upload-Expires': header('When the upload is removed, unless it is complete', 'string'),
};
export const headerComponents = {
  RateLimit: header('Requests allowed within a window', 'integer'),
  RateLimitRemaining: header('Remaining requests of the window', 'integer'),
  RateLimitReset: header('When the window ends, in UNIX seconds', 'integer'),
  RetryAfter: header('Seconds until a retry may succeed', 'number'),
  IdempotentReplayed: header('`true` if the answer was given before', 'string'),
};

/** The fields of every success, in addition to its endpoint's own. */
export const envelopeSchema: JsonSchema = {
  type: 'object',
  properties: {
    result: { const: 'success' },
    msg: { type: 'string', description: 'Empty' },
    ignored_parameters_unsupported: {
      type: 'array',
      items: { type: 'string' },
      description: 'Parameters of the request that the endpoint does not know',
    },
  },
  required: ['result', 'msg'],
};

/** A client's view of an internal defect. */
const defectResponse: ResponseObject = {
  description: 'A defect of the service; a retry may succeed',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { result: { const: 'error' }, msg: { type: 'string' } },
        required: ['result', 'msg'],
      },
      example: { result: 'error', msg: 'Internal server error' },
    },
  },
};

/** All answers of an endpoint: its success with the example, its errors by status, and 500. */
export function describeResponses(
  endpoint: AnyEndpoint,
  hasBody: boolean,
  example: unknown,
): Record<string, ResponseObject> {
  const byStatus = new Map<number, DescribedError[]>();
  for (const errorClass of new Set(errorsOf(endpoint, hasBody))) {
    const error = describeError(errorClass);
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error]);
  }
  const failures = [...byStatus].map(([status, errors]) => [String(status), describeFailure(status, errors)]);
  const described = describeSuccess(endpoint, example);
  const refusals = byStatus.get(200);
  return {
    ...Object.fromEntries(failures),
    ...described,
    ...(refusals && { 200: withRefusals(described, refusals) }),
    500: defectResponse,
  };
}

function errorsOf(endpoint: AnyEndpoint, hasBody: boolean): DeclaredErrorClass[] {
  const declared: Parameter<unknown>[] = Object.values(endpoint.params as Parameters);
  return [
    BadRequest,
    RateLimitHit,
    ...(hasBody ? [BodyTooLarge] : []),
    ...(declared.some(({ required }) => required) ? [MissingArgument] : []),
    ...(declared.some(({ aliases }) => aliases.length > 0) ? [ConfusingArguments] : []),
    ...(endpoint.allow === 'anyone' ? [] : [Unauthorized, InvalidApiKey, UserDeactivated]),
    ...(endpoint.allow === 'anyone' ? [] : [InsufficientScope]),
    ...(endpoint.allow === 'anyone' || endpoint.route.startsWith('GET ') ? [] : [ForeignRequest]),
    ...(isClosedToAll(endpoint) || needsData(endpoint) ? [OrganizationDeactivated] : []),
    ...(isFile(endpoint) ? [RangeNotSatisfiable] : []),
    ...(endpoint.creates ? [InvalidIdempotencyKey, IdempotencyKeyReused] : []),
    ...endpoint.errors,
  ];
}

const isFile = ({ result }: AnyEndpoint): boolean => [file, fileOrAddress, immutableFile].includes(result);

const describeRedirect = (headers: Record<string, object>): Record<string, ResponseObject> => ({
  302: { description: 'Found', headers: { ...headers, Location: header('The address', 'string') } },
});

const TUS_REPLIES = new Map<unknown, Record<string, string>>([
  [created, { 201: 'The upload is announced; the body has the file, if it is complete' }],
  [noContent, { 204: 'The state of the upload' }],
  [progress, { 200: 'The file is whole', 204: 'The piece is stored; more pieces are expected' }],
]);

/** The body describes a completed file; otherwise there is none. */
function describeBare(
  descriptions: Record<string, string>,
  limits: Record<string, object>,
): Record<string, ResponseObject> {
  const headers = { ...limits, ...TUS_HEADERS };
  const schema = { type: 'object', properties: { url: { type: 'string' }, filename: { type: 'string' } } };
  const content = { 'application/json': { schema } };
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      { description, headers, ...(status !== '204' && { content }) },
    ]),
  );
}
const describeFile = (
  description: string,
  headers: Record<string, object>,
  content: Record<string, MediaType>,
): Record<string, ResponseObject> => ({
  200: { description, headers: { ...headers, ...FILE_HEADERS }, content },
  206: {
    description: 'The part that `Range` requests',
    headers: { ...headers, ...FILE_HEADERS, 'Content-Range': header('Which part it is', 'string') },
    content,
  },
});

const describePage = (headers: Record<string, object>): Record<string, ResponseObject> => ({
  200: { description: 'The page', headers, content: { 'text/html': { schema: { type: 'string' } } } },
});

function describeSuccess(endpoint: AnyEndpoint, example: unknown): Record<string, ResponseObject> {
  const headers = LIMIT_HEADERS;
  if (endpoint.result === redirect) return describeRedirect(headers);
  if (endpoint.result === page) return describePage(headers);
  if (endpoint.result === pageOrAddress) return { ...describePage(headers), ...describeRedirect(headers) };
  if ([jsonDocument, mcpReply, privateDocument, createdDocument].includes(endpoint.result)) {
    const content = { 'application/json': { schema: { type: 'object' } } };
    return {
      [endpoint.result === createdDocument ? 201 : 200]: { description: 'The document', headers, content },
    };
  }
  if (endpoint.result === immutableFile) {
    const content = { 'image/*': { schema: { type: 'string', contentMediaType: 'image/*' } } };
    return describeFile('The file, which never changes', headers, content);
  }
  const bare = TUS_REPLIES.get(endpoint.result);
  if (bare) return describeBare(bare, headers);
  if (endpoint.result === file || endpoint.result === fileOrAddress) {
    const content = { '*/*': { schema: { type: 'string', contentMediaType: '*/*' } } };
    const described = describeFile('The file', headers, content);
    return endpoint.result === file ? described : { ...described, ...describeRedirect(headers) };
  }
  // Fields may be added in future, and the fields of the envelope come in addition.
  const { additionalProperties: _, ...result } = toJsonSchema(endpoint.result, 'output');
  const schema = { allOf: [{ $ref: '#/components/schemas/Success' }, result] };
  const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
  const replayed = endpoint.creates ? { 'Idempotent-Replayed': REPLAYED_HEADER } : {};
  return { 200: { description: 'Success', headers: { ...headers, ...replayed }, content } };
}

/** A success, or an error with the status of one. */
function withRefusals(
  { 200: success }: Record<string, ResponseObject>,
  errors: DescribedError[],
): ResponseObject {
  const { schema = {}, example } = success?.content?.['application/json'] ?? {};
  const alternatives = [schema, ...errors.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }))];
  const examples = {
    ...(example !== undefined && { Success: { value: example } }),
    ...Object.fromEntries(errors.map(({ name }) => [name, { $ref: `#/components/examples/${name}` }])),
  };
  return {
    ...success,
    description: ['Success', ...errors.map(({ name, code }) => `${name} (${code})`)].join(', '),
    content: { 'application/json': { schema: { anyOf: alternatives }, examples } },
  };
}

function describeFailure(status: number, errors: DescribedError[]): ResponseObject {
  const references = errors.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  const [only] = references;
  return {
    description: errors.map(({ name, code }) => (code === undefined ? name : `${name} (${code})`)).join(', '),
    headers: {
      ...LIMIT_HEADERS,
      ...(status === 429 && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: {
      'application/json': {
        schema: references.length === 1 && only ? only : { anyOf: references },
        examples: Object.fromEntries(
          errors.map(({ name }) => [name, { $ref: `#/components/examples/${name}` }]),
        ),
      },
    },
  };
}
