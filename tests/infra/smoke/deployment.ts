import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect } from 'vitest';
import { Broken, Caller } from '#infra/smoke/caller.ts';
import type { Check } from '#infra/smoke/check.ts';
import { serveLocally } from '#tests/harness/local-server.ts';

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
  #url = '';

  /** Must be called in the declaration of tests. */
  constructor() {
    beforeAll(async () => {
      const { url: address } = await serveLocally(async (request, response) => {
        const { method, url, headers } = request;
        this.asked.push({ line: `${method} ${url}`, headers, body: await buffer(request) });
        const answer = this.#next(`${method} ${url?.split('?')[0]}`);
        response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
      });
      this.#url = address;
    });
    beforeEach(() => {
      this.asked = [];
    });
  }

  #next(line: string): Answer {
    const answers = this.#answers[line] ?? { status: 500, body: 'nothing is known of this' };
    if (!Array.isArray(answers)) return answers;
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
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
    Object.fromEntries(
      new URLSearchParams(this.asked.find((request) => request.line === line)?.body.toString()),
    );
}

/** @throws when the words name no check, or several */
export function checkOf(all: Check[], words: string): Check {
  const [found, ...others] = all.filter(({ what }) => what.includes(words));
  if (!found || others.length > 0) throw new Error(`${words} names no check, or several`);
  return found;
}
