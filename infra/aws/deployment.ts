import { type App, type Environment, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { StatefulStack } from './stateful-stack.ts';
import { StatelessStack } from './stateless-stack.ts';
import { WiringStack } from './wiring-stack.ts';

export interface DeploymentOptions {
  /** Keeps deployments in one account apart, for instance `prod` and `test`. */
  stage: string;
  functionsFolder: string;
  /** Now, when something is deployed. */
  deployedAtSeconds: number;
  env?: Environment;
  alarmTopicArn?: string | undefined;
}

/** The three stacks of one deployment, checked against the rules of cdk-nag when they are synthesized. */
export function createDeployment(app: App, options: DeploymentOptions) {
  const { stage, functionsFolder, deployedAtSeconds, alarmTopicArn, env = {} } = options;
  if (!/^[a-z][a-z0-9]{0,15}$/.test(stage))
    throw new Error(`The stage "${stage}" is not a name of up to 16 small letters and digits`);
  const stateful = new StatefulStack(app, `TeamChat-${stage}-Stateful`, { env, stage });
  const stateless = new StatelessStack(app, `TeamChat-${stage}-Stateless`, {
    env,
    stage,
    functionsFolder,
    deployedAtSeconds,
  });
  const wiring = new WiringStack(app, `TeamChat-${stage}-Wiring`, { env, stage, alarmTopicArn });
  // No reference crosses the stacks, so CloudFormation does not know the order by itself.
  stateless.addStackDependency(stateful);
  wiring.addStackDependency(stateless);
  for (const stack of [stateful, stateless, wiring]) {
    Tags.of(stack).add('service', 'team-chat');
    Tags.of(stack).add('stage', stage);
  }
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { stateful, stateless, wiring };
}
