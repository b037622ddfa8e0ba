import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type Environment, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { listFunctions } from '#infra/aws/functions.ts';
import { readSettings } from '#infra/aws/settings/read-settings.ts';
import { SocketsStack } from '#infra/aws/sockets/sockets-stack.ts';
import { WiringStack } from '#infra/aws/wiring-stack.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { type Resource, resourcesOf } from '#tests/infra/aws/fixture.ts';
import { ROOT } from '#tests/infra/root.ts';

export const { sockets: names } = listFunctions();
const folder = temporaryFolder('sockets');

/**
 * The stack that `eventSocket` adds, and the wiring, checked by the CDK and by cdk-nag. @throws the rules that they
 * fail
 */
export function synthesize(env: Environment, place: string, more: Record<string, string> = {}) {
  const settings = readSettings({ eventSocket: 'true', requestsPerSecond: 70, ...more });
  const functionsFolder = join(folder, place, 'functions');
  for (const { name } of names) {
    mkdirSync(join(folder, place, 'assets', name), { recursive: true });
    writeFileSync(join(folder, place, 'assets', name, `${name}.mjs`), '');
  }
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  const outdir = join(folder, place, 'out');
  const app = new App({ context, outdir, builtinCloudFormationValidation: true });
  const sockets = new SocketsStack(app, 'Sockets', { env, settings, functionsFolder });
  const wiring = new WiringStack(app, 'Wiring', { env, settings });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { directory } = app.synth();
  const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  return { report, sockets: Template.fromStack(sockets), wiring: Template.fromStack(wiring) };
}

let known: ReturnType<typeof synthesize> | undefined;

/** In a known account: synthesized once, since that takes seconds. */
export function theStacks(): ReturnType<typeof synthesize> {
  known ??= synthesize({ account: '123456789012', region: 'eu-central-1' }, 'known');
  return known;
}

const REFERENCES: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** A value of the template, with `sockets` for the API. */
// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
export function resolve(value: any): string {
  if (typeof value === 'string') return value;
  if ('Ref' in value) return REFERENCES[value.Ref] ?? 'sockets';
  return value['Fn::Join'][1].map(resolve).join(value['Fn::Join'][0]);
}

/** The resources of a type in the stack of the sockets. */
export const all = (type: string): Resource['Properties'][] =>
  resourcesOf(theStacks().sockets, type).map(([id, { Properties }]) => ({ id, ...Properties }));

/** The only one of a type. @throws Error when there are others */
export function one(type: string): Resource['Properties'] {
  const [found, ...others] = all(type);
  if (!found || others.length > 0) throw new Error(`There are ${others.length} more of ${type}`);
  return found;
}
