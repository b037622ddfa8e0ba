import { createHash, randomBytes } from 'node:crypto';
import { sendTo } from './anonymous.ts';
import { Client, type Reply } from './client.ts';

export const REDIRECT = 'http://127.0.0.1:4000/callback';

type Fields = Record<string, string | undefined>;

const toForm = (fields: Fields): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined));

/** A program that requests tokens of a service. */
export class Program {
  readonly url: string;
  readonly clientId: string;
  readonly verifier = randomBytes(32).toString('base64url');

  constructor(url: string, clientId: string) {
    this.url = url;
    this.clientId = clientId;
  }

  static async register(url: string, redirectUris = [REDIRECT]): Promise<Program> {
    const { body } = await registerProgram(url, { client_name: 'Program', redirect_uris: redirectUris });
    return new Program(url, body.client_id);
  }

  /** The query of its request for consent. */
  asked(changes: Fields = {}): Fields {
    return {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: REDIRECT,
      scope: 'read send',
      state: 'the state',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${this.url}/mcp`,
      ...changes,
    };
  }

  /** The page that a browser gets. */
  page(changes: Fields = {}): Promise<Reply> {
    return sendTo(`${this.url}/oauth/authorize?${toForm(this.asked(changes))}`);
  }

  /** The reply to the program after a person's consent. */
  async consent(
    person: Client,
    changes: Fields = {},
    granted: object = { granted_scopes: '["read","send"]' },
  ): Promise<{ status: number; body: Reply['body']; answer: URLSearchParams }> {
    const { status, body } = await sendTo(`${this.url}/oauth/authorize`, {
      method: 'POST',
      headers: { authorization: person.authorization },
      body: toForm({ ...this.asked(changes), ...granted }),
    });
    const answer = new URLSearchParams(String(body.redirect_to).split('?')[1]);
    return { status, body, answer };
  }

  async code(person: Client, changes: Fields = {}, granted?: object): Promise<string> {
    const { answer } = await this.consent(person, changes, granted);
    return answer.get('code') ?? '';
  }

  exchange(code: string, changes: Fields = {}): Promise<Reply> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: this.verifier,
      ...changes,
    });
  }

  renew(refreshToken: string, changes: Fields = {}): Promise<Reply> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changes });
  }

  token(fields: Fields): Promise<Reply> {
    const body = toForm({ client_id: this.clientId, ...fields });
    return sendTo(`${this.url}/oauth/token`, { method: 'POST', body });
  }

  revoke(token: string): Promise<Reply> {
    const body = toForm({ client_id: this.clientId, token });
    return sendTo(`${this.url}/oauth/revoke`, { method: 'POST', body });
  }

  /** A client that uses a token as `Bearer`. */
  holder({ userId, email }: Client, token: string): Client {
    return new BearerClient(this.url, { userId, email, apiKey: token });
  }
}

class BearerClient extends Client {
  override get authorization(): string {
    return `Bearer ${this.apiKey}`;
  }
}

export const registerProgram = (url: string, metadata: unknown): Promise<Reply> =>
  sendTo(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  });
