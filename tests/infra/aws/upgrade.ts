import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { identitiesOf } from './deployed-identities.ts';
import { DEPLOY_TIMEOUT_MS, deploy } from './fixture.ts';

/** The resources that version 12.0 deployed. A release records its own, by `identitiesOf`. */
const before = readFileSync(join(import.meta.dirname, 'identities-of-version-12.txt'), 'utf8')
  .trim()
  .split('\n');
const isFunction = (line: string): boolean => line.includes(' AWS::Lambda::Function ');
const idOf = (line: string): string => line.split(' ').slice(0, 2).join(' ');

let now: string[];
beforeAll(() => {
  const { stateful, stateless, wiring, border } = deploy();
  const { 'TeamChat-prod-Sockets': sockets } = border;
  now = identitiesOf({
    Stateful: stateful,
    Stateless: stateless,
    Wiring: wiring,
    ...(sockets && { Sockets: sockets }),
  });
}, DEPLOY_TIMEOUT_MS);

describe('An upgrade from the last version', () => {
  it('Keeps the deployed table, files, queues, logs, bus, schedules and addresses', () => {
    const kept = before.filter((line) => !isFunction(line));
    expect(kept.filter((line) => !now.includes(line))).toEqual([]);
  });

  it('Updates functions in place: a function of the same id keeps its name, by which others call it', () => {
    const byId = new Map(now.map((line) => [idOf(line), line]));
    for (const line of before.filter(isFunction)) expect([undefined, line]).toContain(byId.get(idOf(line)));
  });
});
