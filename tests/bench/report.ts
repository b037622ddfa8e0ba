import type { BenchService, Usage } from './service.ts';

export interface Row {
  what: string;
  measured: string;
  budget: string;
  /** Absent if the figure is only reported. */
  isMet?: boolean;
}

/** Prints rows as a table with aligned columns. */
export function printTable(title: string, rows: Row[]): void {
  const columns = [
    ['', ...rows.map(({ what }) => what)],
    ['measured', ...rows.map(({ measured }) => measured)],
    ['budget', ...rows.map(({ budget }) => budget)],
    ['', ...rows.map(({ isMet }) => verdict(isMet))],
  ];
  const widths = columns.map((column) => Math.max(...column.map((cell) => cell.length)));
  console.log(`\n${title}\n`);
  for (let line = 0; line <= rows.length; line++)
    console.log(
      columns
        .map((column, n) => (column[line] ?? '').padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function verdict(isMet: boolean | undefined): string {
  if (isMet === undefined) return '';
  return isMet ? 'ok' : 'MISSED';
}

/** The value below which a share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Twice the cost of reading the bytes with eventual consistency, and a fixed part. */
const readBudget = (bytes: number, fixed: number): number => (2 * bytes) / 8192 + fixed;

/** The read units of a call by the bytes of its reply, plus a fixed allowance. */
export async function measureReply(
  service: BenchService,
  call: () => Promise<unknown>,
  describe: (kilobytes: number, calls: number) => string,
  fixed = 15,
): Promise<Row> {
  let bytes = 0;
  const used = await service.measure(async () => {
    bytes = JSON.stringify(await call()).length;
  });
  const what = describe(Math.round(bytes / 1024), used.calls ?? 0);
  return row(what, { ...used, write: 0 }, { write: 0, read: readBudget(bytes, fixed) });
}

export function row(what: string, used: Usage, budget: Usage): Row {
  const parts = (usage: Usage): string =>
    [
      ...(budget.write > 0 ? [`${round(usage.write)} WCU`] : []),
      ...(budget.read > 0 ? [`${round(usage.read)} RCU`] : []),
    ].join(' ');
  const isMet = used.write <= budget.write && used.read <= budget.read;
  return { what, measured: parts(used), budget: `≤ ${parts(budget)}`, isMet };
}

/** A figure that is at most its budget; without one it is only reported. */
export function atMost(what: string, figure: number, show: (figure: number) => string, most?: number): Row {
  const measured = show(figure);
  if (most === undefined) return { what, measured, budget: 'this machine' };
  return { what, measured, budget: `≤ ${show(most)}`, isMet: figure <= most };
}

const round = (units: number): string => String(Math.round(units * 10) / 10);

/** Objects of scalars in indented JSON: no line within opens another object or a list. */
const FLAT_OBJECT = /\{(?:\n +"[^\n]*[^\n{[])+\n *\}/g;

/** JSON with each object of scalars on a line of its own. */
export const toCompactJson = (value: unknown): string =>
  `${JSON.stringify(value, undefined, 1).replace(FLAT_OBJECT, (object) => object.replace(/\n */g, ' '))}\n`;
