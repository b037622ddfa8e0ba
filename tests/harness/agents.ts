import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sendTo } from './anonymous.ts';
import type { Client } from './client.ts';
import { REDIRECT } from './oauth.ts';

/** The actions of tests on an agent, whatever the era of its protocol. */
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

/** Connects the SDK's client of an era, which requests a token of the person by OAuth. */
export async function authorizeAgent(era: 'modern' | 'legacy', person: Client): Promise<TestAgent> {
  const provider = new TestProvider(person);
  const address = new URL('/mcp', person.url);
  if (era === 'legacy') {
    const agent = new LegacyClient(INFO);
    const open = () => new LegacyTransport(address, { authProvider: provider });
    const first = open();
    await agent
      .connect(first as Parameters<typeof agent.connect>[0])
      .catch(() => first.finishAuth(provider.code));
    const authorized = new LegacyClient(INFO);
    await authorized.connect(open() as Parameters<typeof agent.connect>[0]);
    return authorized as unknown as TestAgent;
  }
  const options = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const open = () => new ModernTransport(address, { authProvider: provider });
  const first = open();
  await new ModernClient(INFO, options).connect(first).catch(() => first.finishAuth(provider.answer));
  const agent = new ModernClient(INFO, options);
  await agent.connect(open());
  return agent as unknown as TestAgent;
}

/** The SDK's storage of its authorization; the person consents at once. */
class TestProvider {
  answer = new URLSearchParams();
  readonly #person: Client;
  #client: { client_id: string } | undefined;
  #tokens: { access_token: string; token_type: string } | undefined;
  #verifier = '';

  constructor(person: Client) {
    this.#person = person;
  }

  get code(): string {
    return this.answer.get('code') ?? '';
  }
  get redirectUrl(): string {
    return REDIRECT;
  }
  get clientMetadata() {
    return { client_name: 'Test agent', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
  }
  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: { client_id: string }): void {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: { access_token: string; token_type: string }): void {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  async redirectToAuthorization(url: URL): Promise<void> {
    const { status } = await sendTo(url.href);
    if (status !== 200) throw new Error(`The page of consent answered ${status}`);
    const body = new URLSearchParams([...url.searchParams, ['granted_scopes', '["read"]']]);
    const headers = { authorization: this.#person.authorization };
    const reply = await sendTo(`${url.origin}/oauth/authorize`, { method: 'POST', headers, body });
    this.answer = new URL(reply.body.redirect_to).searchParams;
  }
}
