import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { createDeployment } from '#infra/aws/deployment.ts';
import { type FunctionList, listFunctions } from '#infra/aws/functions.ts';
import { ROOT } from '#tests/infra/root.ts';

/** A synthesis takes several seconds, and much longer where other tests want the processor too. */
export const DEPLOY_TIMEOUT_MS = 240_000;

export const DEPLOYED_AT_SECONDS = 1_760_000_000;

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
  Properties: Record<string, any>;
  DeletionPolicy?: string;
  DependsOn?: string[];
}

export interface Violation {
  ruleName: string;
  reason?: string;
}

export interface Deployment {
  stateful: Template;
  stateless: Template;
  wiring: Template;
  /** The resources before the API, by the name of the stack. */
  border: Record<string, Template>;
  /** The names of stacks, each with its dependencies. */
  order: Record<string, string[]>;
  /** The names of stacks that cannot be deleted before an operator allows it. */
  protected: string[];
  violations: Violation[];
  acknowledged: Violation[];
  /** The environment of each stack, by its name: `aws://<account>/<region>`. */
  environments: Record<string, string>;
  /** Settings that an operator sees when the stacks are synthesized. */
  notes: string[];
}

export interface DeployOptions {
  env?: { account: string; region: string };
  /** The operator's `-c` settings. */
  context?: Record<string, string>;
  /** Changes the stateless stack before it is checked. */
  alter?: (stack: Stack) => void;
  /** Whether the rules that the CDK itself has about templates are asked too, which takes seconds. */
  isValidated?: boolean;
  /** The functions to deploy, if not the service's own. */
  functions?: FunctionList;
}

let plain: Deployment | undefined;

/** The stacks with the settings of `cdk.json`. Those without options are synthesized once, since it takes seconds. */
export function deploy(options?: DeployOptions): Deployment {
  if (options) return synthesize(options);
  plain ??= synthesize({});
  return plain;
}

/** A build whose functions are empty, in a folder of its own: they are built and tested elsewhere. */
export function makeEmptyBuild(functions = listFunctions()): string {
  const { endpoints, workers, sockets, fallback } = functions;
  const allFunctions = [...endpoints, ...workers, ...sockets, ...(fallback ? [fallback] : [])];
  const folder = mkdtempSync(join(tmpdir(), 'team-chat-stacks-'));
  for (const name of ['functions', 'image-layer', 'web', 'poller']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'poller', 'index.js'), '');
  for (const { name } of allFunctions) {
    mkdirSync(join(folder, 'assets', name), { recursive: true });
    writeFileSync(join(folder, 'assets', name, `${name}.mjs`), '');
  }
  return folder;
}

/**
 * The settings of `cdk.json` are otherwise read by the command line tool only. @throws the failed rules of the
 * stacks: one of cdk-nag, or one of the CDK itself about templates
 */
function synthesize({ alter, context: more, isValidated = true, ...options }: DeployOptions): Deployment {
  const folder = makeEmptyBuild(options.functions);
  try {
    const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
    const app = new App({
      context: { ...context, ...more },
      outdir: join(folder, 'out'),
      builtinCloudFormationValidation: isValidated,
    });
    const { stateful, stateless, wiring, border } = createDeployment(app, {
      functionsFolder: join(folder, 'functions'),
      deployedAtSeconds: DEPLOYED_AT_SECONDS,
      ...options,
    });
    alter?.(stateless);
    const { directory } = app.synth();
    const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
    const rules = report.pluginReports.find(
      ({ pluginName }: { pluginName: string }) => pluginName === 'AwsSolutions',
    );
    const stacks = [stateful, stateless, wiring, ...border];
    return {
      stateful: Template.fromStack(stateful),
      stateless: Template.fromStack(stateless),
      wiring: Template.fromStack(wiring),
      border: Object.fromEntries(border.map((stack) => [stack.stackName, Template.fromStack(stack)])),
      order: Object.fromEntries(
        stacks.map(({ stackName, dependencies }) => [
          stackName,
          dependencies.map((needed) => needed.stackName),
        ]),
      ),
      protected: stacks
        .filter(({ terminationProtection }) => terminationProtection)
        .map(({ stackName }) => stackName),
      violations: rules.violations,
      acknowledged: rules.suppressedViolations,
      environments: Object.fromEntries(stacks.map((stack) => [stack.stackName, stack.environment])),
      notes: Annotations.fromStack(stateless)
        .findInfo('*', Match.anyValue())
        .map(({ entry }) => String(entry.data))
        .filter((note) => note.includes(' -c ')),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The resources of a type, by logical id. */
export const resourcesOf = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template.toJSON().Resources as Record<string, Resource>).filter(
    ([, { Type }]) => Type === type,
  );

/** The first resource of a type, with its logical id. */
export function firstOf(template: Template, type: string): Resource & { id: string } {
  const [[id, resource]] = resourcesOf(template, type) as [[string, Resource]];
  return { id, ...resource };
}

/** The properties of the resources of a type. */
export const rawPropertiesOf = (template: Template, type: string): Resource['Properties'][] =>
  resourcesOf(template, type).map(([, { Properties }]) => Properties);

/** The environment of a function. */
export const variablesIn = (template: Template, name: string): Record<string, string> =>
  functionNamed(template, name).Properties.Environment.Variables;

/**
 * A value of a template as text: each reference is the name of its target, without its hash and in angle brackets, or
 * the path of a parameter.
 */
// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
export function plainOf(template: Template, value: any): any {
  const { Parameters = {} } = template.toJSON() as { Parameters?: Record<string, { Default?: string }> };
  const nameOf = (id: string): string =>
    Parameters[id]?.Default ?? id.replace(/^AWS::/, '').replace(/[0-9A-F]{8}$/, '');
  const plain = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(plain);
    if (typeof part !== 'object' || part === null) return part;
    if ('Ref' in part) return `<${nameOf(String(part.Ref))}>`;
    if ('Fn::GetAtt' in part) {
      const [target, attribute] = part['Fn::GetAtt'] as [string, string];
      return `<${nameOf(target)}.${attribute}>`;
    }
    if ('Fn::Join' in part) {
      const [separator, parts] = part['Fn::Join'] as [string, unknown[]];
      return parts.map(plain).join(separator);
    }
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, plain(inner)]));
  };
  return plain(value);
}

/** The resources of a type, without their tags, each as a whole and as text. */
export const propertiesOf = (template: Template, type: string) =>
  rawPropertiesOf(template, type).map(({ Tags: _, ...properties }) => plainOf(template, properties));

/** The address of a resource in the account, region and partition of a template, as text. */
export const arnOf = (service: string, rest: string): string =>
  `arn:<Partition>:${service}:<Region>:<AccountId>:${rest}`;

/** @throws when there is no function of this name */
export function functionNamed(template: Template, name: string): Resource {
  const [, found] =
    resourcesOf(template, 'AWS::Lambda::Function').find(
      ([, { Properties }]) => Properties.FunctionName === `team-chat-prod-${name}`,
    ) ?? [];
  if (!found) throw new Error(`No function ${name}`);
  return found;
}

/** The permissions of a function's role. */
export const permissionsOf = (template: Template, name: string): Statement[] =>
  statementsOf(roleOf(template, name)).filter(({ effect }) => effect === 'Allow');

/** @throws when there is no function of this name */
export function roleOf(template: Template, name: string): Resource {
  const [roleId] = functionNamed(template, name).Properties.Role['Fn::GetAtt'];
  const [, role] = resourcesOf(template, 'AWS::IAM::Role').find(([id]) => id === roleId)!;
  return role;
}

export interface Statement {
  effect: 'Allow' | 'Deny';
  actions: string[];
  resources: string[];
  /** Absent if it always holds. */
  condition: object | undefined;
}

/** The permissions of a role; references in resources are shown as JSON. */
export function statementsOf(role: Resource): Statement[] {
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return (role.Properties.Policies ?? [])
    .flatMap((policy: { PolicyDocument: { Statement: object[] } }) => policy.PolicyDocument.Statement)
    .map(({ Effect, Action, Resource, Condition }: Resource['Properties']) => ({
      effect: Effect,
      actions: [Action].flat(),
      resources: [Resource].flat().map(asText),
      condition: Condition,
    }));
}
