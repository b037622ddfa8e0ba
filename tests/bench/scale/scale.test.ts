import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readMeasured } from '../hour/measure-costs.ts';
import { type Way, ways } from '../hour/transports.ts';
import { limits } from './limits.ts';
import { organizationOnline } from './online.ts';
import { describeScale, reachedAt, SCALE_PAGE, targets } from './scale-page.ts';

const measured = readMeasured();

test('The page docs/scale.md has the output of the model; `npm run docs` writes it', () => {
  expect(readFileSync(SCALE_PAGE, 'utf8')).toBe(describeScale(measured));
});

describe('The organization of the model', () => {
  test('Equals the measured one at the measured number of clients', () => {
    for (const team of measured.teams.slice(1)) {
      const modelled = organizationOnline(measured, team.clients);
      expect(modelled.people).toBe(team.people);
      expect(modelled.waiting.entries / team.waiting.entries).toBeCloseTo(1, 3);
      expect(modelled.waiting.lookUnits / team.waiting.lookUnits).toBeCloseTo(1, 3);
      modelled.lines.forEach((line, index) => {
        expect(line.timesAnHour / (team.lines[index]?.timesAnHour ?? 0), line.what).toBeCloseTo(1, 3);
      });
    }
  });

  test('Writes more the larger it is, and answers no client more often than its process looks', () => {
    const sizes = [100, 1_000, 10_000, 100_000].map((clients) => organizationOnline(measured, clients));
    for (let n = 1; n < sizes.length; n++)
      expect(sizes[n]!.waiting.entries).toBeGreaterThan(sizes[n - 1]!.waiting.entries);
    for (const { clients, waiting } of sizes)
      expect(waiting.answered).toBeLessThanOrEqual(clients * 20 * 3_600);
  });
});

describe('A limit of the model', () => {
  test.each(ways)('Applies from the size that the page names, and not before: %s', (way) => {
    for (const limit of limits) {
      const clients = reachedAt(measured, limit, way);
      if (clients === undefined || clients < 3) continue;
      const asked = (count: number) => limit.asked(organizationOnline(measured, count), way);
      expect(asked(clients), limit.what).toBeGreaterThan(limit.quota);
      expect(asked(clients - 1), limit.what).toBeLessThanOrEqual(limit.quota);
    }
  });

  test('Does not apply before 10 000 sockets or 3 000 polls of a web function, at the quotas of a new account', () => {
    const met = targets.filter(({ way, clients }) =>
      limits.every((limit) => (reachedAt(measured, limit, way) ?? Infinity) > clients),
    );
    expect(met.map(({ way, clients }) => [way, clients])).toEqual([
      ['socket', 10_000],
      ['webFunction', 3_000],
    ]);
  });

  test('On executions applies first to a function for each poll, and long after to the other ways', () => {
    const [executions] = limits;
    const at = (way: Way) => reachedAt(measured, executions!, way) ?? Number.POSITIVE_INFINITY;
    expect(at('function')).toBeLessThanOrEqual(1_000);
    for (const other of ['socket', 'webFunction'] as const)
      expect(at(other)).toBeGreaterThan(10 * at('function'));
  });
});
