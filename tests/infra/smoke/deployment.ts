import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { Broken, Caller } from '#infra/smoke/caller.ts';
import type { Check } from '#infra/smoke/check.ts';

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}
/** By method and path; of a list the last one is given again and again. */
export type Answers = Record<string, Answer | Answer[]>;
interface Asked {
  line: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const ACCOUNT = { email: 'ada@example.com', apiKey: 'key' };
export const success = (fields: object): Answer => ({
  body: JSON.stringify({ result: 'success', ...fields }),
});
export const refusal = (status: number): Answer => ({ status, body: '{"result":"error"}' });

/** A fake deployment, with given answers, right or wrong. */
export class Deployment {
  asked: Asked[] = [];
  #answers: Answers = {};
  #server: Server | undefined;
  #url = '';

  /** Must be called in the declaration of tests. */
  constructor() {
    beforeAll(async () => {
      this.#server = createServer(async (request, response) => {
        const { method, url, headers } = request;
        this.asked.push({ line: `${method} ${url}`, headers, body: await buffer(request) });
        const answer = this.#next(`${method} ${url?.split('?')[0]}`);
        response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
      }).listen(0, '127.0.0.1');
      await once(this.#server, 'listening');
      this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
      this.asked = [];
    });
    afterAll(() => {
      this.#server?.closeAllConnections();
      this.#server?.close();
    });
  }

  #next(line: string): Answer {
    const given = this.#answers[line] ?? { status: 500, body: 'nothing is known of this' };
    if (!Array.isArray(given)) return given;
    return (given.length > 1 ? given.shift() : given[0]) ?? {};
  }

  look(check: Check, answers: Answers, scheduleAheadSeconds = 5): Promise<void> {
    this.#answers = structuredClone(answers);
    return check.run(new Caller(`${this.#url}//`, ACCOUNT), { scheduleAheadSeconds, jobSeconds: 5 });
  }

  /** @throws unless the check says that the deployment is broken, and how */
  async expectBroken(check: Check, answers: Answers, reason: string | RegExp): Promise<void> {
    const looking = this.look(check, answers);
    await expect(looking).rejects.toThrow(reason);
    await expect(looking).rejects.toBeInstanceOf(Broken);
  }

  linesAsked = (): string[] => this.asked.map(({ line }) => line);

  formOf = (line: string): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(this.asked.find((one) => one.line === line)?.body.toString()));
}

/** @throws when the words name no check, or several */
export function checkOf(all: Check[], words: string): Check {
  const [found, ...others] = all.filter(({ what }) => what.includes(words));
  if (!found || others.length > 0) throw new Error(`${words} names no check, or several`);
  return found;
}
