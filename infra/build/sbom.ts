import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCommandLine } from '#infra/command-line.ts';
import { listBundledParts } from './bundled-parts.ts';

const ROOT = join(import.meta.dirname, '../..');
const HELP = `Usage: npm run sbom

Writes dist/sbom.json: the packages that ship, in CycloneDX 1.5, as the lock file names them.

Options:
  --help  print this text

Example:
  npm run sbom`;
const DEVELOPMENT = 'cdx:npm:package:development';

/** A package in a CycloneDX document. */
export interface Component {
  'bom-ref': string;
  /** With its scope, as `@aws-sdk/client-ssm`. */
  name: string;
  version?: string;
  type?: string;
  licenses?: unknown[];
  hashes?: unknown[];
  properties?: { name: string; value: string }[];
  /** Parts that are compiled into it. */
  components?: Component[];
}

/** The parts of a CycloneDX document that are used here. */
export interface Bom {
  bomFormat: string;
  serialNumber?: string;
  metadata: { timestamp?: string; component: { 'bom-ref': string; name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * The software bill of materials of what ships, in CycloneDX 1.5, from the lock file alone: the same for the same lock
 * file. npm writes it; its `--omit dev` loses packages that tools need as well, so tools are left out here.
 */
export function describeMaterials(): Bom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const isWindows = process.platform === 'win32';
  const text = execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { serialNumber: _, metadata, ...bom } = JSON.parse(text) as Bom;
  const { timestamp: __, component, ...rest } = metadata;
  const components = bom.components
    .filter(({ properties }) => (properties ?? []).every(({ name }) => name !== DEVELOPMENT))
    .map((part) => (part.name === 'wasm-vips' ? { ...part, components: listBundledParts() } : part));
  const kept = new Set([component['bom-ref'], ...components.map((part) => part['bom-ref'])]);
  const name = component['bom-ref'].replace(/@[^@]*$/, '');
  return {
    ...bom,
    metadata: { ...rest, component: { ...component, name } },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((ref) => kept.has(ref)) })),
  };
}

if (import.meta.main) {
  readCommandLine(HELP);
  const bom = describeMaterials();
  mkdirSync('dist', { recursive: true });
  const file = resolve('dist/sbom.json');
  writeFileSync(file, `${JSON.stringify(bom, undefined, 2)}\n`);
  console.log(`${file}: ${bom.components.length} packages`);
}
