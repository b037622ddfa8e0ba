import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { startTestService } from '#tests/harness/service.ts';
import { toCompactJson } from '../report.ts';
import {
  boundOf,
  createLargeWorld,
  MAX_CPU_MS,
  MAX_UNITS,
  type Measured,
  measureWorst,
  toMeasured,
  worstPage,
} from './worst.ts';

const PAGE = 'docs/worst-calls.md';
const MEASURED = 'tests/bench/worst/measured.json';
/** In this mode the calls are made, which takes minutes, and the page is written. */
const isMeasuring = process.env.MODE === 'worst';

test.runIf(isMeasuring)(
  'Every operation is called in its most expensive form, and all of them succeed',
  async () => {
    const service = await startTestService({ pollHoldMs: 10 });
    const all = await measureWorst(await createLargeWorld(service));
    await service.stop();
    expect(all.filter(({ failure }) => failure)).toEqual([]);
    const measured = toMeasured(all);
    writeFileSync(MEASURED, toCompactJson(measured));
    writeFileSync(PAGE, worstPage(measured));
  },
  900_000,
);

describe('The page of the most expensive calls', () => {
  const readMeasured = (): Measured[] => JSON.parse(readFileSync(MEASURED, 'utf8'));

  test('The measurement has every operation', () => {
    const routes = Object.values(endpoints).map(({ route }) => route);
    expect(
      readMeasured()
        .map(({ route }) => route)
        .sort(),
    ).toEqual(routes.sort());
  });

  test('The page docs/worst-calls.md shows the measurement', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(worstPage(readMeasured()));
  });

  test('Every call above a thousand units or a second of CPU has another bound', () => {
    const costly = readMeasured().filter(
      ({ read, write, cpuMs }) => read + write > MAX_UNITS || cpuMs > MAX_CPU_MS,
    );
    expect(costly.filter(({ route }) => !boundOf.has(route))).toEqual([]);
  });
});
