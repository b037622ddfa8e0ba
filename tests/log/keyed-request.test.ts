import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BadRequest } from '#shared/domain/errors.ts';
import { commitOutcome, type Outcome, Overtaken } from '#shared/log/commit.ts';
import { KeyedRequest } from '#shared/log/keyed-request.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const requestOf = (key: string): KeyedRequest =>
  new KeyedRequest(service.services, { userId: 1, key, digest: 'digest' }, 'secret');
const commitFor = (request: KeyedRequest, outcome: Outcome): Promise<number> =>
  commitOutcome(service.services, request, { events: [] }, () => outcome);

describe('A request with an idempotency key', () => {
  test('Fails if its answer does not fit into the table, and an answer of 350 KB fits', async () => {
    const answerOf = (bytes: number): Outcome => ({
      fields: { text: randomBytes(bytes).toString('latin1') },
    });
    expect(() => requestOf('large').write(answerOf(400_000))).toThrow(BadRequest);
    const fields = { text: randomBytes(260_000).toString('base64') };
    await commitFor(requestOf('fits'), { fields });
    expect(await requestOf('fits').look()).toEqual({ fields });
  });

  test('Continues from its state: a process that was overtaken notices and changes nothing', async () => {
    const [one, other] = [requestOf('steps'), requestOf('steps')];
    await Promise.all([one.look(), other.look()]);
    await commitFor(one, { progress: { positions: [1] } });
    await expect(commitFor(other, { progress: { positions: [2] } })).rejects.toThrow(Overtaken);
    expect(await other.look()).toBeUndefined();
    expect(other.progress).toEqual({ positions: [1] });
    await commitFor(other, { fields: { id: 3 } });
    await expect(commitFor(one, { fields: { id: 2 } })).rejects.toThrow(Overtaken);
    expect(await one.look()).toEqual({ fields: { id: 3 } });
  });

  test('Keeps its answer for a day, to the second; then the key is free', async () => {
    let nowMs = Math.ceil(service.services.clock.nowMs() / 1_000) * 1_000;
    const services = { ...service.services, clock: { ...service.services.clock, nowMs: () => nowMs } };
    const request = () => new KeyedRequest(services, { userId: 1, key: 'day', digest: 'digest' }, 'secret');
    const commitAs = (id: number) =>
      commitOutcome(services, request(), { events: [] }, () => ({ fields: { id } }));
    await commitAs(1);
    nowMs += 86_400_000;
    expect(await request().look()).toEqual({ fields: { id: 1 } });
    await expect(commitAs(2)).rejects.toThrow(Overtaken);
    nowMs += 1_000;
    expect(await request().look()).toBeUndefined();
    await commitAs(3);
    expect(await request().look()).toEqual({ fields: { id: 3 } });
  });

  test('Keeps its answer for its own key only', async () => {
    await commitFor(requestOf('own'), { fields: { id: 3 } });
    const item = await service.services.table.find({ pk: 'KEYED_REQUESTS#1', sk: 'own' });
    await service.services.table.write({
      kind: 'put',
      item: { ...item, pk: 'KEYED_REQUESTS#1', sk: 'stolen' },
    });
    await expect(requestOf('stolen').look()).rejects.toThrow();
    expect(await requestOf('own').look()).toEqual({ fields: { id: 3 } });
  });
});
