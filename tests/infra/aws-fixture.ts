import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { createDeployment } from '#infra/aws/deployment.ts';

export const ROOT = join(import.meta.dirname, '../..');

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
  Properties: Record<string, any>;
  DeletionPolicy?: string;
}

export interface Violation {
  ruleName: string;
  reason?: string;
}

export interface Deployment {
  stateful: Template;
  stateless: Template;
  wiring: Template;
  violations: Violation[];
  acknowledged: Violation[];
}

export interface DeployOptions {
  env?: { account: string; region: string };
  alarmTopicArn?: string;
  /** What an operator says with `-c`. */
  context?: Record<string, string>;
  /** Changes the stateless stack before it is checked. */
  alter?: (stack: Stack) => void;
}

/**
 * Synthesizes the stacks with the settings of `cdk.json`, which otherwise only the command line tool reads, over an
 * empty asset: the functions themselves are built and tested elsewhere.
 */
export function deploy({ alter, context: more, ...options }: DeployOptions = {}): Deployment {
  const folder = mkdtempSync(join(tmpdir(), 'team-chat-stacks-'));
  const functionsFolder = join(folder, 'functions');
  mkdirSync(functionsFolder);
  mkdirSync(join(folder, 'image-layer'));
  writeFileSync(join(functionsFolder, 'empty.mjs'), '');
  try {
    const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
    const app = new App({ context: { ...context, ...more }, outdir: join(folder, 'out') });
    const { stateful, stateless, wiring } = createDeployment(app, {
      stage: 'prod',
      functionsFolder,
      ...options,
    });
    alter?.(stateless);
    const { directory } = app.synth();
    const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
    const rules = report.pluginReports.find(
      (one: { pluginName: string }) => one.pluginName === 'AwsSolutions',
    );
    return {
      stateful: Template.fromStack(stateful),
      stateless: Template.fromStack(stateless),
      wiring: Template.fromStack(wiring),
      violations: rules.violations,
      acknowledged: rules.suppressedViolations,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The resources of a type, by logical id. */
export const resourcesOf = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template.findResources(type)) as [string, Resource][];

export interface Statement {
  actions: string[];
  resources: string[];
  /** Absent where it always holds. */
  condition: object | undefined;
}

/** What a role may do; references in resources are shown as JSON. */
export function statementsOf(role: Resource): Statement[] {
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return (role.Properties.Policies ?? [])
    .flatMap((policy: { PolicyDocument: { Statement: object[] } }) => policy.PolicyDocument.Statement)
    .map((statement: { Action: string | string[]; Resource: unknown; Condition?: object }) => ({
      actions: [statement.Action].flat(),
      resources: [statement.Resource].flat().map(asText),
      condition: statement.Condition,
    }));
}
