import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { expect } from 'vitest';
import { createRelay } from '#shared/adapters/http-relay.ts';
import type { Client } from './client.ts';
import { LocalServer } from './local-server.ts';
import type { TestService } from './service.ts';

export const RELAY_ACCOUNT = { user: 'our-organization', key: 'key of our organization' };

// biome-ignore lint/suspicious/noExplicitAny: a relay sees JSON of any shape
type Payload = any;

interface Received {
  path: string;
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a relay sees JSON of any shape
  body: any;
}

/** How the relay answers instead of as it should. */
export type Trouble =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'hang'
  | 'hang up';

/** A push relay: accepts notifications over HTTP, and fails on request. */
export class TestRelay extends LocalServer {
  received: Received[] = [];
  trouble: Trouble | undefined;
  /** Tokens that it declares dead. */
  deadTokenIds: string[] = [];

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request);
    const isJson = request.headers['content-type'] === 'application/json';
    const body = isJson ? JSON.parse(content) : Object.fromEntries(new URLSearchParams(content));
    const { url: path = '', headers } = request;
    this.received.push({ path, authorization: headers.authorization, body });
    if (this.trouble === 'hang') return;
    if (this.trouble === 'hang up') return void request.socket.destroy();
    const { status, body: answer, headers: more } = this.trouble ?? { status: 200, body: this.#answer(body) };
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  }

  #answer({ push_requests: requests = [] }: { push_requests?: { token_id: string }[] }) {
    const dead = requests.map(({ token_id: id }) => id).filter((id) => this.deadTokenIds.includes(id));
    return { result: 'success', msg: '', delete_token_ids: dead };
  }

  /** The decrypted notifications of a device. */
  sentTo(phone: Phone): Payload[] {
    return this.requestsFor(phone).map(({ payload }) => phone.decrypt(payload));
  }

  requestsFor({ tokenId }: Phone): Payload[] {
    return this.received
      .flatMap(({ body }) => (body.push_requests ?? []) as Payload[])
      .filter((request) => request.token_id === tokenId);
  }
}

/** A device of a user, with the key that only it and the service know. */
export class Phone {
  readonly kind: 'apns' | 'fcm';
  deviceId = 0;
  pushKey: Buffer;
  pushKeyId: number;
  tokenId: string;

  /** Takes key and token from `bytes`, of as many bytes as it is asked for. */
  constructor(kind: 'apns' | 'fcm' = 'fcm', bytes: (count: number) => Buffer = randomBytes) {
    this.kind = kind;
    this.pushKey = bytes(32);
    this.pushKeyId = bytes(4).readUInt32BE();
    this.tokenId = bytes(8).toString('base64');
  }

  get keyFields() {
    const push_key = Buffer.concat([Buffer.from([0x31]), this.pushKey]).toString('base64');
    return { push_key_id: this.pushKeyId, push_key };
  }

  get tokenFields() {
    return {
      token_kind: this.kind,
      token_id: this.tokenId,
      bouncer_public_key: 'key of the relay',
      encrypted_push_registration: Buffer.from(`registration ${this.tokenId}`).toString('base64'),
    };
  }

  get fields() {
    return { device_id: this.deviceId, ...this.keyFields, ...this.tokenFields };
  }

  decrypt({ push_key_id, encrypted_data }: Payload): Payload {
    expect(push_key_id).toBe(this.pushKeyId);
    const box = Buffer.from(encrypted_data, 'base64');
    const content = xsalsa20poly1305(this.pushKey, box.subarray(0, 24)).decrypt(box.subarray(24));
    return JSON.parse(Buffer.from(content).toString());
  }
}

/** A new device of a user that is registered with the relay. */
export async function addPhone(service: TestService, owner: Client, kind?: 'apns' | 'fcm'): Promise<Phone> {
  const phone = new Phone(kind);
  await registerPhone(service, owner, phone);
  return phone;
}

/** Makes a device of a user of this phone, and registers it with the relay. */
export async function registerPhone(service: TestService, owner: Client, phone: Phone): Promise<void> {
  phone.deviceId = (await owner.post('/register_client_device')).body.device_id;
  const { status, body } = await owner.post('/mobile_push/register', phone.fields);
  expect(status, JSON.stringify(body)).toBe(200);
  await service.settle();
}

/** Lets a service that runs already use a relay. */
export async function attachRelay({ services }: TestService): Promise<TestRelay> {
  const relay = await new TestRelay().start();
  const { relayTimeoutMs: timeoutMs } = services.config;
  const { user, key } = RELAY_ACCOUNT;
  services.relay = createRelay({ url: relay.url, user, key: async () => key, timeoutMs });
  return relay;
}
