import type { HttpEvent } from '../http.ts';

/** The revision without sessions, in which every request carries its version and capabilities. */
export const MODERN_VERSION = '2026-07-28';
/** Revisions that open with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const ALL_VERSIONS = [MODERN_VERSION, ...LEGACY_VERSIONS];

const META = 'io.modelcontextprotocol';
const MAX_DEPTH = 32;

export const codes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
  legacyResourceNotFound: -32_002,
} as const;

/** A request of the Model Context Protocol that cannot be answered with a result. */
export class McpFailure extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: object | undefined;
  constructor(
    code: number,
    message: string,
    { status = 200, data }: { status?: number; data?: object } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export type McpParams = Record<string, unknown>;

/** A request, of either era of the protocol. */
export interface McpRequest {
  id: string | number;
  method: string;
  params: McpParams;
  isModern: boolean;
  /** The name of the calling program, if the request has it. */
  clientName: string | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the message of a POST; undefined for notifications and for answers of the client, which need none.
 * @throws McpFailure
 */
export function readMcpMessage(text: string, headers: HttpEvent['headers']): McpRequest | undefined {
  const message = parse(text);
  if (!isObject(message) || message.jsonrpc !== '2.0')
    throw new McpFailure(codes.invalidRequest, 'The body must be one JSON-RPC 2.0 message.', { status: 400 });
  const { id, method, params = {} } = message;
  if (method === undefined && ('result' in message || 'error' in message)) return undefined;
  if (typeof method !== 'string' || !isObject(params))
    throw new McpFailure(codes.invalidRequest, 'The message has no method or no valid params.', {
      status: 400,
    });
  if (id === undefined) return undefined;
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    throw new McpFailure(codes.invalidRequest, 'The id must be a text or an integer.', { status: 400 });
  const meta = isObject(params._meta) ? params._meta : {};
  const isModern = isOfModernEra(meta, headers);
  if (isModern) requireModernHeaders(method, params, meta, headers);
  const client = meta[`${META}/clientInfo`];
  const clientName = isObject(client) && typeof client.name === 'string' ? client.name : undefined;
  return { id: id as string | number, method, params, isModern, clientName };
}

function parse(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    if (depthOf(text) <= MAX_DEPTH) return parsed;
  } catch {
    // Answered below.
  }
  throw new McpFailure(codes.parseError, 'The body is not valid JSON.', { status: 400 });
}

/** How deep the brackets of a text are nested at most; those within strings count too. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text)
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  return deepest;
}

/** @throws McpFailure for a version that is not supported */
function isOfModernEra(meta: McpParams, headers: HttpEvent['headers']): boolean {
  const inHeader = headers['mcp-protocol-version'];
  const inBody = meta[`${META}/protocolVersion`];
  const named = inBody ?? inHeader;
  if (named === undefined) return false;
  if (typeof named !== 'string' || !ALL_VERSIONS.includes(named))
    throw new McpFailure(codes.unsupportedVersion, 'Unsupported protocol version', {
      status: 400,
      data: { supported: ALL_VERSIONS, requested: named },
    });
  return named === MODERN_VERSION || inHeader === MODERN_VERSION;
}

/** @throws McpFailure unless the headers match the body, because gateways may route by them */
function requireModernHeaders(
  method: string,
  params: McpParams,
  meta: McpParams,
  headers: HttpEvent['headers'],
): void {
  const version = meta[`${META}/protocolVersion`];
  if (version === undefined || !isObject(meta[`${META}/clientCapabilities`]))
    throw new McpFailure(codes.invalidParams, 'params._meta lacks the version or the capabilities.', {
      status: 400,
    });
  const expected: [string, unknown][] = [
    ['mcp-protocol-version', version],
    ['mcp-method', method],
  ];
  if (['tools/call', 'prompts/get'].includes(method)) expected.push(['mcp-name', params.name]);
  if (method === 'resources/read') expected.push(['mcp-name', params.uri]);
  for (const [name, value] of expected)
    if (decodeHeader(headers[name]) !== value)
      throw new McpFailure(codes.headerMismatch, `The header ${name} differs from the body.`, {
        status: 400,
      });
}

const decodeHeader = (value: string | undefined): string | undefined => {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '') ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
};
