import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';

/** A kind of device token of the older kind, with a way to make tokens of it. */
export class TokenCalls {
  readonly #path: string;
  readonly #more: Params;
  #made = 0;

  constructor(path: string, more: Params = {}) {
    this.#path = path;
    this.#more = more;
  }

  newToken(): string {
    return Buffer.from(`a token, number ${++this.#made}`).toString('base64');
  }

  add(client: Client, token: string): Promise<Reply> {
    return client.post(this.#path, { token, ...this.#more });
  }

  remove(client: Client, token: string): Promise<Reply> {
    return client.delete(this.#path, { token });
  }

  async addNew(client: Client): Promise<string> {
    const token = this.newToken();
    expectDone(await this.add(client, token));
    return token;
  }

  async expectUnknown(client: Client, token: string): Promise<void> {
    expectRefusal(await this.remove(client, token), 'Token does not exist');
  }
}

export function expectDone({ status, body }: Reply): void {
  expect(body).toEqual({ result: 'success', msg: '' });
  expect(status).toBe(200);
}
