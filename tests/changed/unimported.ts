const laws = (...names: string[]): string[] => names.map((name) => `tests/conformance/${name}.test.ts`);

/** Which tests look at what no test imports. */
export const unimported: { changed: RegExp; tests: string[] }[] = [
  { changed: /\.md$/, tests: laws('pages', 'figures') },
  { changed: /^docs\/architecture\.md$/, tests: laws('rooms') },
  { changed: /^docs\/adding-an-endpoint\.md$/, tests: laws('guide') },
  {
    changed: /^docs\/(openapi|examples)\.json$|^docs\/(api|permissions)\.md$/,
    tests: laws('document', 'examples'),
  },
  { changed: /^docs\/costs\.md$/, tests: ['tests/bench/hour/hour.test.ts'] },
  { changed: /^docs\/scale\.md$/, tests: ['tests/bench/scale/scale.test.ts'] },
  { changed: /^docs\/worst-calls\.md$/, tests: ['tests/bench/worst/worst.test.ts'] },
  { changed: /^tests\/bench\/hour\/measured\.json$/, tests: ['tests/bench/hour/hour.test.ts'] },
  { changed: /\.tsx?$/, tests: laws('rooms', 'sources') },
  { changed: /^biome\.json$/, tests: laws('layers') },
  { changed: /^functions\//, tests: laws('registry') },
  { changed: /^(functions|infra\/aws)\/|^cdk\.json$/, tests: ['tests/infra/aws/stacks.test.ts'] },
  {
    changed: /^package(-lock)?\.json$/,
    tests: ['tests/infra/supply-chain.test.ts', 'tests/infra/lock-file.test.ts'],
  },
  {
    changed: /^web\/.*\.(css|html|svg)$/,
    tests: ['tests/web/browser/focus.test.ts', 'tests/web/browser/pages.test.ts'],
  },
];
