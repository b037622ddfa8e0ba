import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Packages of other platforms than the one on which the lock file was made; the registry gave no checksum for them. */
const UNPROVEN = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'win32-x64'].map(
  (platform) => `node_modules/@dynoxide/${platform}`,
);

/** The package in whose archive this one comes, and whose digest covers it. */
function bundlerOf(path: string): LockedPackage | undefined {
  const end = path.lastIndexOf('/node_modules/');
  if (end < 0) return undefined;
  const parent = packages[path.slice(0, end)];
  return parent?.inBundle ? bundlerOf(path.slice(0, end)) : parent;
}

test('Every installed package has a digest, its own or that of the package that contains it', () => {
  const unproven = Object.entries(packages)
    .filter(([path, { integrity, link }]) => path.startsWith('node_modules/') && !link && !integrity)
    .filter(([path, { inBundle }]) => !(inBundle && bundlerOf(path)?.integrity))
    .map(([path]) => path);
  expect(unproven.sort()).toEqual(UNPROVEN);
});

test('Every digest has 512 bits', () => {
  const digests = Object.values(packages).flatMap(({ integrity }) => integrity ?? []);
  expect(digests.filter((digest) => !/^sha512-[\w+/]{86}==$/.test(digest))).toEqual([]);
  expect(digests.length).toBeGreaterThan(100);
});
