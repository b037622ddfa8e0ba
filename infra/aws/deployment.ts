import { type App, type Environment, type Stack, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { EntranceStack } from './entrance-stack.ts';
import { FirewallStack } from './firewall-stack.ts';
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

/** Far above what a browser, or an office behind one address, asks for. */
const REQUESTS_PER_ADDRESS = '3000';
const WEB_ACL_ARN = /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/;

/** The three stacks of one deployment, and those before the API that an operator asks for, checked against the rules of cdk-nag when they are synthesized. */
export function createDeployment(app: App, options: DeploymentOptions) {
  const { stage, functionsFolder, deployedAtSeconds, alarmTopicArn, env = {} } = options;
  if (!/^[a-z][a-z0-9]{0,15}$/.test(stage))
    throw new Error(`The stage "${stage}" is not a name of up to 16 small letters and digits`);
  const webAclArn = readWebAcl(app);
  const stateful = new StatefulStack(app, `TeamChat-${stage}-Stateful`, {
    env,
    stage,
    hasEntrance: webAclArn !== undefined,
  });
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
  const border = createBorder(app, { stage, env, webAclArn });
  for (const stack of border) if (stack instanceof EntranceStack) stack.addStackDependency(wiring);
  for (const stack of [stateful, stateless, wiring, ...border]) {
    Tags.of(stack).add('service', 'team-chat');
    Tags.of(stack).add('stage', stage);
  }
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { stateful, stateless, wiring, border };
}

/** What stands before the API: the firewall for `-c firewall=true`, the distribution once the firewall is known. */
function createBorder(
  app: App,
  { stage, env, webAclArn }: { stage: string; env: Environment; webAclArn: string | undefined },
): Stack[] {
  const border: Stack[] = [];
  if (app.node.tryGetContext('firewall') === 'true') {
    const limit = String(app.node.tryGetContext('requestsPerAddress') ?? REQUESTS_PER_ADDRESS);
    if (!/^[1-9]\d{1,8}$/.test(limit))
      throw new Error(`requestsPerAddress must be a number from 10 on, not ${JSON.stringify(limit)}`);
    border.push(
      new FirewallStack(app, `TeamChat-${stage}-Firewall`, {
        env: { ...env, region: 'us-east-1' },
        stage,
        requestsPerAddress: Number(limit),
      }),
    );
  }
  if (webAclArn !== undefined)
    border.push(new EntranceStack(app, `TeamChat-${stage}-Entrance`, { env, stage, webAclArn }));
  return border;
}

/** @throws Error for what is not the ARN of a firewall of distributions */
function readWebAcl(app: App): string | undefined {
  const arn: unknown = app.node.tryGetContext('webAclArn');
  if (arn === undefined) return undefined;
  if (!WEB_ACL_ARN.test(String(arn)))
    throw new Error(`webAclArn must be the ARN of a global web ACL in us-east-1, not ${JSON.stringify(arn)}`);
  return String(arn);
}
