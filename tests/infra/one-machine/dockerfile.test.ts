import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { environmentOf, ROOT, readCopy, readStages, type Stage, textsOf } from './dockerfile.ts';

const [build, final] = readStages() as [Stage, Stage];
const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
const { scripts, devDependencies } = packageJson as {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
};

test('Both stages of the Dockerfile start from the Node version of the project', () => {
  for (const { from } of [build, final]) expect(from).toContain(`node:${devDependencies.node}-`);
});

test('The Dockerfile runs scripts that exist', () => {
  const names = textsOf(build, 'RUN').flatMap((text) =>
    [...text.matchAll(/npm run (\S+)/g)].map(([, name]) => name),
  );
  expect(names).toContain('build:local');
  for (const name of names) expect(scripts).toHaveProperty([name ?? '']);
});

test('The Dockerfile copies files that exist, or that the build creates', () => {
  const given = [...textsOf(build, 'COPY'), ...textsOf(final, 'COPY')].flatMap((text) => readCopy(text).from);
  for (const path of given.filter((one) => !one.startsWith('dist/')))
    expect(existsSync(join(ROOT, path)), path).toBe(true);
});

test('The context of the image holds no data and no build output', () => {
  for (const name of ['.data', '.git', 'node_modules', 'dist']) expect(ignored).toContain(name);
});

test('The container runs unprivileged, keeps its data in a volume, and has a health check', () => {
  expect(textsOf(final, 'USER')).toEqual(['node']);
  expect(JSON.parse(textsOf(final, 'VOLUME')[0] ?? '')).toEqual([environmentOf(final).DATA_DIR]);
  expect(textsOf(final, 'EXPOSE')).toEqual([environmentOf(final).PORT]);
  expect(textsOf(final, 'HEALTHCHECK')[0]).toContain('/health');
  // Whatever takes root comes before.
  const names = final.instructions.map(({ name }) => name);
  expect(names.lastIndexOf('RUN')).toBeLessThan(names.indexOf('USER'));
});
