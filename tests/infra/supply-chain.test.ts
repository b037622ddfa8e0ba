import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Bom, describeMaterials } from '#infra/build/sbom.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { ROOT } from './root.ts';
import { runNode } from './run-node.ts';

interface LockedPackage {
  version: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
}

const readJson = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const { packages } = readJson('package-lock.json') as { packages: Record<string, LockedPackage> };
// The others are this project and the package of its tests.
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && !link,
);
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const shipped = installed.filter(([, { dev }]) => !dev);

/** Licences that let anyone use, change and pass on a package in a product under the Apache License. */
const PERMISSIVE = ['Apache-2.0', 'MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause'];
/** Others, each of one package, and why it may stay. */
const EXCEPTIONS: Record<string, string> = {
  // A font, which the web client passes on unchanged under its own name.
  '@fontsource-variable/inter': 'OFL-1.1',
  // Derived from the library of Python; requires its notice only.
  argparse: 'PSF-2.0',
};
/**
 * Packages for building and testing that are not distributed may also require that changes of themselves are
 * published.
 */
const FOR_TOOLS = [
  ...PERMISSIVE,
  'MPL-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'Python-2.0',
  'Unlicense',
];

/** For "A OR B" the user of a package chooses one. */
const allows = (license: string | undefined, among: string[]): boolean =>
  (license ?? '')
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((one) => among.includes(one));

test('Every package that ships has a permissive licence, or one that is listed', () => {
  expect(shipped.length).toBeGreaterThan(50);
  const others = shipped
    .map(([path, { license }]) => [nameOf(path), license] as const)
    .filter(([, license]) => !allows(license, PERMISSIVE));
  expect(Object.fromEntries(others)).toEqual(EXCEPTIONS);
});

test('Every tool has a licence under which it can be used', () => {
  const others = installed.filter(
    ([path, { dev, license }]) => dev && !allows(license, FOR_TOOLS) && nameOf(path),
  );
  expect(others.map(([path, { license }]) => `${nameOf(path)}: ${license}`)).toEqual([]);
});

test('The licence of an installed package equals that of the lock file', () => {
  const lying = shipped
    .filter(([path]) => existsSync(join(ROOT, path, 'package.json')))
    .filter(([path, { license }]) => readJson(`${path}/package.json`).license !== license)
    .map(([path]) => path);
  expect(lying).toEqual([]);
});

test('No package that ships runs a script when it is installed', () => {
  const running = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(running.filter(([, { dev }]) => !dev).map(([path]) => nameOf(path))).toEqual([]);
  // The tools that do are named, each with whether it may.
  const { allowScripts } = readJson('package.json');
  expect(running.map(([path]) => nameOf(path)).sort()).toEqual(Object.keys(allowScripts).sort());
});

test('The command npm run sbom lists every package that ships, with version, licence and digest, and no tool', async () => {
  const folder = temporaryFolder('sbom');
  const file = join(folder, 'dist/sbom.json');
  const run = await runNode('infra/build/sbom.ts', [], {}, folder);
  const text = readFileSync(file, 'utf8');
  const { bomFormat, components, dependencies, metadata }: Bom = JSON.parse(text);
  expect(run).toEqual({ status: 0, stdout: `${file}: ${components.length} packages\n`, stderr: '' });
  expect(text.split('\n')[1]).toMatch(/^ {2}"/);
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component.name).toBe('team-chat-service');
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  const locked = shipped.map(([path, { version }]) => `${nameOf(path)}@${version}`);
  expect(listed.toSorted()).toEqual([...new Set(locked)].sort());
  const known = new Set([metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  for (const { ref, dependsOn } of dependencies)
    for (const one of [ref, ...dependsOn]) expect(known).toContain(one);
  expect(components.filter(({ licenses }) => !licenses?.length)).toEqual([]);
  expect(components.filter(({ hashes }) => !hashes?.length)).toEqual([]);
});

test('The command npm run sbom names the licences of the parts of a package', () => {
  const images = describeMaterials().components.find(({ name }) => name === 'wasm-vips');
  const parts = new Map(
    images?.components?.map(({ name, licenses, version }) => [name, { licenses, version }]),
  );
  for (const name of ['libvips', 'glib', 'libheif', 'libexif'])
    expect(parts.get(name)).toEqual({
      licenses: [{ license: { id: 'LGPL-3.0-or-later' } }],
      version: expect.stringMatching(/^\d/),
    });
  for (const { licenses } of parts.values()) expect(licenses).toHaveLength(1);
});
