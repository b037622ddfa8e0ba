export const grouped = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');

export const dollars = (amount: number): string => `$${amount < 100 ? amount.toFixed(2) : grouped(amount)}`;

/** Small amounts with a tenth of a cent. */
export const cents = (amount: number): string => (amount < 0.1 ? `$${amount.toFixed(3)}` : dollars(amount));

/** A table of a page. */
export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
