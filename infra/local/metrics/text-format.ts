type Labels = Record<string, string>;

const escapeValue = (value: string): string =>
  /["\\\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
    : value;
const describeLabels = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
};

/** Numbers by labels, which go up (`counter`) or also down (`gauge`), in the text format of Prometheus 0.0.4. */
export class Series {
  readonly #values = new Map<string, number>();
  readonly #name: string;
  readonly #type: 'counter' | 'gauge';
  readonly #help: string;

  constructor(name: string, type: 'counter' | 'gauge', help: string) {
    this.#name = name;
    this.#type = type;
    this.#help = help;
  }

  add(labels: Labels, by: number): void {
    const key = describeLabels(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  set(labels: Labels, value: number): void {
    this.#values.set(describeLabels(labels), value);
  }

  describe(): string {
    const lines = [...this.#values].map(([labels, value]) => `${this.#name}${labels} ${value}\n`);
    return `# HELP ${this.#name} ${this.#help}\n# TYPE ${this.#name} ${this.#type}\n${lines.join('')}`;
  }
}

/** How many values were at most so large, by labels. */
export class Histogram {
  readonly #of = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: number[];

  constructor(name: string, help: string, bounds: number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = describeLabels(labels);
    const one = this.#of.get(key) ?? { labels, counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    this.#of.set(key, one);
    this.#bounds.forEach((bound, index) => {
      if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1;
    });
    one.sum += value;
    one.count++;
  }

  describe(): string {
    const lines = [...this.#of.values()].flatMap(({ labels, counts, sum, count }) => [
      ...counts.map((at, index) => this.#line('_bucket', { ...labels, le: String(this.#bounds[index]) }, at)),
      this.#line('_bucket', { ...labels, le: '+Inf' }, count),
      this.#line('_sum', labels, sum),
      this.#line('_count', labels, count),
    ]);
    return `# HELP ${this.#name} ${this.#help}\n# TYPE ${this.#name} histogram\n${lines.join('')}`;
  }

  #line(suffix: string, labels: Labels, value: number): string {
    return `${this.#name}${suffix}${describeLabels(labels)} ${value}\n`;
  }
}
