import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Client } from './client.ts';

/** What tests do with an agent, whatever the era of its protocol. */
export interface TestAgent {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown; annotations?: object | undefined }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{ messages: object[] }>;
  close(): Promise<void>;
}

const INFO = { name: 'Test agent', version: '1.0.0' };

/** Connects the SDK's client of an era with the credentials of a client. */
export async function connectAgent(
  era: 'modern' | 'legacy',
  { url, authorization }: Client,
): Promise<TestAgent> {
  const address = new URL('/mcp', url);
  const requestInit = { headers: { authorization } };
  if (era === 'legacy') {
    const agent = new LegacyClient(INFO);
    const transport = new LegacyTransport(address, { requestInit });
    await agent.connect(transport as Parameters<typeof agent.connect>[0]);
    return agent as unknown as TestAgent;
  }
  const agent = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await agent.connect(new ModernTransport(address, { requestInit }));
  return agent as unknown as TestAgent;
}
