import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createLargeWorld, MAX_CPU_MS, MAX_UNITS, measureWorst, worstPage } from './worst.ts';
import { exempt, type Name } from './worst-calls.ts';

const PAGE = 'docs/worst-calls.md';
/** In this mode the calls are made, which takes minutes, and the page is written. */
const isMeasuring = process.env.MODE === 'worst';

test.runIf(isMeasuring)(
  'Every operation is called in its most expensive form, and all of them succeed',
  async () => {
    const service = await startTestService({ pollHoldMs: 10 });
    const all = await measureWorst(await createLargeWorld(service));
    await service.stop();
    expect(all.filter(({ failure }) => failure)).toEqual([]);
    writeFileSync(PAGE, worstPage(all));
  },
  900_000,
);

describe('The page of the most expensive calls', () => {
  const names = Object.keys(endpoints) as Name[];
  const rowsOf = (page: string) =>
    page
      .split('\n')
      .filter((line) => /^\| [A-Z]+ \//.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, route = '', read, write, , cpuMs, bound = '']) => ({
        route,
        units: Number(read) + Number(write),
        cpuMs: Number(cpuMs),
        bound,
      }));

  const readRows = () => rowsOf(readFileSync(PAGE, 'utf8'));

  test('Has a row for every operation', () => {
    expect(
      readRows()
        .map(({ route }) => route)
        .sort(),
    ).toEqual(names.map((name) => endpoints[name].route).sort());
  });

  test('Has none above a thousand units or a second of CPU without another bound', () => {
    const costly = readRows().filter(({ units, cpuMs }) => units > MAX_UNITS || cpuMs > MAX_CPU_MS);
    const bounded = Object.fromEntries(
      Object.entries(exempt).map(([name, reason]) => [endpoints[name as Name].route, reason]),
    );
    expect(costly.filter(({ route, bound }) => bound === '' || bound !== bounded[route])).toEqual([]);
  });
});
