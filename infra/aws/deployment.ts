import { join } from 'node:path';
import { Annotations, type App, type Environment, type Stack, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { EntranceStack } from './entrance-stack.ts';
import { FirewallStack } from './firewall-stack.ts';
import type { FunctionList } from './functions.ts';
import { PollerStack } from './poller-stack.ts';
import { hasEntrance } from './settings/entrance.ts';
import { readSettings } from './settings/read-settings.ts';
import type { Settings } from './settings/settings.ts';
import { SocketsStack } from './sockets/sockets-stack.ts';
import { StatefulStack } from './stateful-stack.ts';
import { StatelessStack } from './stateless-stack.ts';
import { WiringStack } from './wiring-stack.ts';

export interface DeploymentOptions {
  functionsFolder: string;
  /** The time of this deployment. */
  deployedAtSeconds: number;
  /** The account and region, unless the settings name a region. */
  env?: Environment;
  /** All functions of the service, unless a test adds some. */
  functions?: FunctionList;
}

const UNRESERVED_POLLS =
  "Waiting clients share the account's concurrent executions with all other functions. If the quota allows, reserve some for them: -c pollerConcurrency=500 (docs/operations/settings.md).";

/**
 * The three stacks of a deployment, and the optional ones in front of the API, checked by cdk-nag during
 * synthesis. The app's context has the settings.
 */
export function createDeployment(
  app: App,
  { functionsFolder, deployedAtSeconds, functions, ...options }: DeploymentOptions,
) {
  const { region: ownRegion } = options.env ?? {};
  const settings = readSettings({ region: ownRegion, ...app.node.getAllContext() });
  const { stage, region, tags } = settings;
  const env = { ...options.env, ...(region && { region }) };
  const stateful = new StatefulStack(app, `TeamChat-${stage}-Stateful`, {
    env,
    stage,
    hasEntrance: hasEntrance(settings),
    hasEventSocket: settings.eventSocket,
    tableKey: settings.tableKey,
  });
  const stateless = new StatelessStack(app, `TeamChat-${stage}-Stateless`, {
    env,
    settings,
    functionsFolder,
    deployedAtSeconds,
    functions,
  });
  const wiring = new WiringStack(app, `TeamChat-${stage}-Wiring`, { env, settings, functions });
  // The stacks have no references to each other, so CloudFormation needs the order explicitly.
  stateless.addStackDependency(stateful);
  // `register` returns the address of sockets once they exist.
  const sockets = createSockets(app, settings, { env, functionsFolder });
  sockets?.addStackDependency(stateful);
  if (sockets) stateless.addStackDependency(sockets);
  wiring.addStackDependency(stateless);
  const poller = createPoller(app, settings, { env, functionsFolder });
  poller?.addStackDependency(stateful);
  const border = createBorder(app, settings, env);
  for (const stack of border) {
    if (!(stack instanceof EntranceStack)) continue;
    stack.addStackDependency(wiring);
    if (poller) stack.addStackDependency(poller);
  }
  if (poller) border.push(poller);
  if (sockets) border.push(sockets);
  for (const stack of [stateful, stateless, wiring, ...border])
    for (const [name, value] of Object.entries({ ...tags, service: 'team-chat', stage }))
      Tags.of(stack).add(name, value);
  if (settings.pollerConcurrency === undefined && !poller)
    Annotations.of(stateless).addInfo(UNRESERVED_POLLS);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { stateful, stateless, wiring, border };
}

/** The stacks in front of the API: the firewall, and the distribution if the settings require it. */
function createBorder(app: App, settings: Settings, env: Environment): Stack[] {
  const { stage, firewall, requestsPerAddress } = settings;
  const border: Stack[] = [];
  if (firewall)
    border.push(
      new FirewallStack(app, `TeamChat-${stage}-Firewall`, {
        env: { ...env, region: 'us-east-1' },
        stage,
        requestsPerAddress,
      }),
    );
  if (hasEntrance(settings))
    border.push(new EntranceStack(app, `TeamChat-${stage}-Entrance`, { env, settings }));
  return border;
}

/** The optional stack of the event socket. */
const createSockets = (
  app: App,
  settings: Settings,
  props: { env: Environment; functionsFolder: string },
): SocketsStack | undefined =>
  settings.eventSocket
    ? new SocketsStack(app, `TeamChat-${settings.stage}-Sockets`, { settings, ...props })
    : undefined;

/** The optional stack of the web function that holds polls. */
function createPoller(
  app: App,
  settings: Settings,
  { env, functionsFolder }: { env: Environment; functionsFolder: string },
): PollerStack | undefined {
  if (settings.poller !== 'web-function') return undefined;
  const codeFolder = join(functionsFolder, '../poller');
  return new PollerStack(app, `TeamChat-${settings.stage}-Poller`, { env, settings, codeFolder });
}
