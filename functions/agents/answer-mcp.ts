import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { secretInHeader } from '#shared/api/auth/authenticate.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { codes, McpFailure, type McpRequest, readMcpMessage } from '#shared/api/mcp/message.ts';
import { challengeForAgents, isForeignOrigin, originOf } from '#shared/api/mcp/origin.ts';
import { McpReply, mcpReply } from '#shared/api/mcp/reply.ts';
import { serverInfo } from '#shared/api/mcp/server-info.ts';
import { text } from '#shared/api/parameters.ts';
import { agentSubject, RequestCounter } from '#shared/api/request-limit.ts';
import { tokenScopes } from '#shared/domain/api-tokens/api-token.ts';
import { RateLimitHit, Unauthorized } from '#shared/domain/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';

const MAX_CLIENT_LENGTH = 24;
const counter = new RequestCounter();

/** Answers agents: the Model Context Protocol, in its revision without sessions and in the earlier ones. */
export const answerMcp = endpoint({
  route: 'POST /mcp',
  at: 'root',
  summary: 'Answer an agent',
  allow: 'user',
  scope: tokenScopes,
  obeysChannels: true,
  takesJson: true,
  seesRequest: true,
  challenges: challengeForAgents,
  params: { body: text(z.string(), 'A message of the Model Context Protocol; the whole body, as JSON') },
  result: mcpReply,
  errors: [RateLimitHit, Unauthorized],
  emits: [
    'message',
    'user_topic',
    'muted_topics',
    'attachment/update',
    'stream/update',
    'scheduled_messages/add',
    'drafts/add',
    'update_message',
    'delete_message',
    'update_message_flags/add',
    'reaction/add',
    'reaction/remove',
    'user_status',
  ],
  uses: {
    table: 'write',
    areas: ['accounts', 'messages', 'drafts', 'scheduled', 'uploads', 'answers'],
    bus: true,
    scheduler: true,
    files: 'read',
    folders: ['uploads'],
  },
  timeoutSeconds: 29,
  memoryMegabytes: 1024,
  async handle({ body }, { services, caller, client, clientAddress, http }) {
    if (!http || (await isForeignOrigin(services, http))) return new McpReply(403);
    // Sessions of browsers are for pages of the service.
    const { authorization } = http.headers;
    if (!authorization) throw new Unauthorized();
    let request: McpRequest | undefined;
    try {
      request = readMcpMessage(body, http.headers);
      if (!request) return new McpReply(202);
      await admit(services, caller);
      const program = request.clientName ?? client;
      const agent = {
        services,
        caller,
        client: `${program.slice(0, MAX_CLIENT_LENGTH).toWellFormed()} (MCP)`,
        clientAddress,
        secret: secretInHeader(authorization),
        url: await originOf(services, http),
      };
      const { resultOf } = await import('./tools/methods.ts');
      return reply(request, await resultOf(request, agent));
    } catch (failure) {
      if (failure instanceof McpFailure) return refuse(request, failure);
      throw failure;
    }
  },
});

export const handler = lambda(answerMcp, awsServices);

/** @throws RateLimitHit above the calls of an agent in a minute */
async function admit(services: Services, { userId, token }: Account): Promise<void> {
  const { retryAfterSeconds } = await counter.count(services, agentSubject(userId, token?.tokenId));
  if (retryAfterSeconds !== undefined) throw new RateLimitHit(retryAfterSeconds);
}

/** Fields that the newer version of the protocol adds to every result, unknown to the older one. */
function reply({ id, isModern }: McpRequest, result: object): McpReply {
  const { ttlMs: _ttl, cacheScope: _scope, ...rest } = result as { ttlMs?: number; cacheScope?: string };
  const modern = {
    ...result,
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  };
  return new McpReply(200, { jsonrpc: '2.0', id, result: isModern ? modern : rest });
}

function refuse(request: McpRequest | undefined, { code, message, data, status }: McpFailure): McpReply {
  const error = { code, message, ...(data && { data }) };
  const isLegacyRefusal = request !== undefined && code === codes.invalidParams;
  return new McpReply(isLegacyRefusal ? 200 : status, { jsonrpc: '2.0', id: request?.id ?? null, error });
}
