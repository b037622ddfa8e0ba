import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { listFunctions, usesOf } from '#infra/aws/functions.ts';
import { workerUses } from '#infra/aws/worker-uses.ts';
import type { Area } from '#shared/table/areas.ts';

/**
 * A function may access the areas that its code could access, on any path, and nothing else. Its tree-shaken bundle
 * is searched for the makers of keys.
 */
const MAKERS: Partial<Record<Area, RegExp>> = {
  messages:
    /\b(logKeys\.(entry|blockSummary\w*|recipientSet)|logPartitions\.\w+|messageKeys\.(?!linkPreview|gifPage)\w+|messagePartitions)\b/,
  previews: /\bmessageKeys\.linkPreview\b/,
  drafts: /\b(draftKeys\.draft\w*|draftPartitions\.draftsOf)\b/,
  scheduled: /\b(draftKeys\.scheduledMessage|draftPartitions\.scheduledOf)\b/,
  queues: /\bqueueKeys\b/,
  sockets: /\bsocketKeys\b/,
  uploads: /\b(uploadKeys|uploadPartitions)\b/,
  invitations:
    /\b(signInKeys\.invit\w*|limitKeys\.mailCount|signInPartitions\.(invit\w*|endingInvitations))\b/,
  exports: /\borganizationKeys\.export\w*\b/,
  signInLinks: /\bsignInKeys\.(link|reset\w*)\b/,
  addressChanges: /\bsignInKeys\.addressChange\w*\b/,
  signIns: /\bsignInKeys\.(failures|network)\b/,
  passwords: /\bfindPasswordHash\b/,
};
/** Here keys are made, and the entries that every change adds to the log. */
const MAKES_KEYS = /^shared\/(table\/.*|store\/log\/log-entry)\.ts$/;

const { endpoints, workers, sockets } = listFunctions();
const functions = [
  ...endpoints.map(({ name, file, endpoint }) => ({ name, file, areas: usesOf(endpoint).areas ?? [] })),
  ...[...workers, ...sockets].map(({ name, file }) => ({
    name,
    file,
    areas: workerUses(true)[name]?.areas ?? [],
  })),
];

const { outputFiles, metafile } = await build({
  entryPoints: functions.map(({ file }) => file),
  absWorkingDir: join(import.meta.dirname, '../..'),
  bundle: true,
  write: false,
  outdir: 'dist/areas',
  metafile: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
});
const codeOf = new Map(
  outputFiles.map(({ path, text }) => {
    const [, output] = Object.entries(metafile.outputs).find(([name]) => path.endsWith(name)) ?? [];
    return [output?.entryPoint ?? '', text];
  }),
);

/** The areas for which a bundle has makers of keys. */
function areasIn(bundle: string): Area[] {
  const found = new Set<string>();
  let module = '';
  for (const line of bundle.split('\n')) {
    module = /^\/\/ (\S+\.ts)$/.exec(line)?.[1] ?? module;
    if (MAKES_KEYS.test(module)) continue;
    for (const [area, maker] of Object.entries(MAKERS)) if (maker.test(line)) found.add(area);
  }
  return [...found].sort() as Area[];
}

test.each(functions)(
  '$name accesses exactly the parts of the table that its code uses',
  ({ file, areas }) => {
    const known = areas.filter((area) => area in MAKERS);
    expect(known.toSorted()).toEqual(areasIn(codeOf.get(file) ?? ''));
  },
);
