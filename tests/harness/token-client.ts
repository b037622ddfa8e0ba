import { expect } from 'vitest';
import { Client } from './client.ts';

/** A client of the same account that uses a new API token of it, sent as `Bearer`. */
export class TokenClient extends Client {
  readonly tokenId: number;

  private constructor(owner: Client, token: string, tokenId: number) {
    const { userId, email } = owner;
    super(owner.url, { userId, email, apiKey: token });
    this.tokenId = tokenId;
  }

  static async create(
    owner: Client,
    scopes: string[],
    limits: { channels?: number[]; expires_in_seconds?: number | null } = {},
  ): Promise<TokenClient> {
    const { status, body } = await owner.post('/users/me/tokens', { name: 'Test', scopes, ...limits });
    expect(status, JSON.stringify(body)).toBe(200);
    return new TokenClient(owner, body.token, body.id);
  }

  override get authorization(): string {
    return `Bearer ${this.apiKey}`;
  }
}
