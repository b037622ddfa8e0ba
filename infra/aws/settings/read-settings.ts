import { RegionInfo } from 'aws-cdk-lib/region-info';
import { hasEntrance } from './entrance.ts';
import type { Setting } from './kinds.ts';
import { type Settings, settings } from './settings.ts';

/** AWS leaves at least this many executions of an account unreserved. */
const UNRESERVED_EXECUTIONS = 100;
const all: Record<string, Setting> = settings;

/**
 * The settings of a deployment, from the context of the CDK app. The context also holds flags of the CDK,
 * which have `:` or `/` in their names.
 * @throws Error that lists everything that is wrong: unknown names, invalid values and contradictions
 */
export function readSettings(context: Record<string, unknown>): Settings {
  const unknown = Object.keys(context).filter((name) => !isKnown(name));
  const problems = unknown.map((name) => `There is no setting ${name}${guess(name)}.`);
  const values: Record<string, unknown> = {};
  for (const [name, { kind, default: otherwise }] of Object.entries(all)) {
    const input = context[name] ?? otherwise;
    if (input === undefined) continue;
    const { success, data } = kind.schema.safeParse(String(input));
    if (success) values[name] = data;
    else problems.push(`${name} must be ${kind.must}, not ${JSON.stringify(input)}.`);
  }
  if (problems.length === 0) problems.push(...listContradictions(values as Settings));
  if (problems.length > 0)
    throw new Error(`${problems.join('\n')}\ndocs/operations/settings.md lists all settings.`);
  return values as Settings;
}

/** The environment variables by which functions know the given settings. */
export const variablesOf = (values: Partial<Settings>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const variable = all[name]?.variable;
      return variable === undefined ? [] : [[variable, String(value)]];
    }),
  );

const isKnown = (name: string): boolean => name in all || /[:/]/.test(name) || name === 'cli-telemetry';

/** Settings that share most letters with the name. */
function guess(name: string): string {
  const lettersOf = (text: string): Set<string> => new Set(text.toLowerCase());
  const letters = lettersOf(name);
  const unlike = (other: string): number => letters.symmetricDifference(lettersOf(other)).size;
  const [nearest = ''] = Object.keys(all).toSorted((a, b) => unlike(a) - unlike(b));
  return unlike(nearest) > 2 ? '' : `; is ${nearest} meant?`;
}

const partitionOf = (region: string): string | undefined => RegionInfo.get(region).partition;

/** Valid values that contradict each other. */
interface Contradiction {
  exists(values: Settings): boolean;
  problem(values: Settings): string;
}

const listContradictions = (values: Settings): string[] =>
  contradictions.filter(({ exists }) => exists(values)).map(({ problem }) => problem(values));

/** Whether the region is of another partition of AWS than CloudFront. */
const isElsewhere = ({ region }: Settings): boolean => region !== undefined && partitionOf(region) !== 'aws';

/** The region in which the certificate must be, if it is known. */
const certificateRegionFor = (values: Settings): string | undefined =>
  hasEntrance(values) ? 'us-east-1' : values.region;

const regionOf = (arn: string | undefined): string | undefined => arn?.split(':')[3];

const contradictions: Contradiction[] = [
  {
    exists: ({ pushRelayUser, pushRelayUrl }) => pushRelayUser === undefined && pushRelayUrl !== undefined,
    problem: () => 'pushRelayUser is missing: the relay knows this deployment by an account.',
  },
  {
    exists: ({ pushRelayUser, pushRelayUrl }) => pushRelayUrl === undefined && pushRelayUser !== undefined,
    problem: () => 'pushRelayUrl is missing: an account alone names no relay.',
  },
  {
    exists: ({ zoomAccountId, zoomClientId }) =>
      (zoomAccountId === undefined) !== (zoomClientId === undefined),
    problem: () => 'zoomAccountId and zoomClientId go together.',
  },
  {
    exists: ({ domainName, certificateArn }) => (domainName === undefined) !== (certificateArn === undefined),
    problem: () => 'domainName and certificateArn go together.',
  },
  {
    exists: (values) => (values.firewall || values.webAclArn !== undefined) && isElsewhere(values),
    problem: ({ region }) =>
      `There is no firewall for ${region}: CloudFront and its firewalls are of another partition of AWS.`,
  },
  {
    exists: (values) => values.poller === 'web-function' && isElsewhere(values),
    problem: ({ region }) =>
      `poller=web-function cannot be had in ${region}: CloudFront, which leads to it, is of another partition of AWS.`,
  },
  {
    exists: ({ poller, pollerConcurrency }) => poller === 'web-function' && pollerConcurrency !== undefined,
    problem: () =>
      'pollerConcurrency reserves executions that poller=web-function leaves unused; give one of the two.',
  },
  {
    exists: (values) => values.monthlyBudgetDollars !== undefined && isElsewhere(values),
    problem: ({ region }) =>
      `AWS Budgets is set up by hand for ${region}: CloudFormation knows it elsewhere only.`,
  },
  {
    exists(values) {
      const input = regionOf(values.certificateArn);
      const needed = certificateRegionFor(values);
      return input !== undefined && needed !== undefined && input !== needed;
    },
    problem: (values) =>
      `The certificate must be in ${certificateRegionFor(values)}, not in ${regionOf(values.certificateArn)}: ${hasEntrance(values) ? 'CloudFront needs us-east-1' : 'the API needs its own region'}.`,
  },
  {
    exists: ({ monthlyBudgetDollars, budgetEmail, alarmEmail, alarmTopicArn }) =>
      monthlyBudgetDollars !== undefined && !budgetEmail && !alarmEmail && !alarmTopicArn,
    problem: () => 'A budget notifies budgetEmail, alarmEmail or alarmTopicArn; give one of them.',
  },
  {
    exists: ({ pollerConcurrency, accountConcurrency }) =>
      pollerConcurrency !== undefined && pollerConcurrency > accountConcurrency - UNRESERVED_EXECUTIONS,
    problem: ({ accountConcurrency }) =>
      `pollerConcurrency can be at most ${Math.max(0, accountConcurrency - UNRESERVED_EXECUTIONS)}: AWS leaves ${UNRESERVED_EXECUTIONS} of the account's ${accountConcurrency} executions unreserved, and refuses the deployment otherwise. \`aws lambda get-account-settings\` prints the account's quota; give another one as -c accountConcurrency.`,
  },
];
