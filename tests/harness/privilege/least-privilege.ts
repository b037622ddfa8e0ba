import { AsyncLocalStorage } from 'node:async_hooks';
import { endpoints } from '#functions/routes.ts';
import { usesOf } from '#infra/aws/functions.ts';
import { type Grant, grantsFor } from '#infra/aws/grants.ts';
import { workerUses } from '#infra/aws/worker-uses.ts';
import type { Around } from '#infra/local/around.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type Causes, noteAnswer, noteEntry } from '../declared/outcomes.ts';
import { judgeCalls, places } from './aws-calls.ts';
import { type CallOfAws, isAllowed } from './iam.ts';

/**
 * Replaces IAM: each access of a test service's function to the table, the files and other services is checked
 * against the policy of its role. A denied access fails, as on AWS, and is remembered: some failures are tolerated.
 */
const running = new AsyncLocalStorage<Running>();
interface Running {
  name: string;
  /** The running function: itself, or the one that left the job. */
  cause: string;
  /** The log of its service, once it has called one. */
  causes?: Causes;
  isOver: boolean;
}
const policies = new Map<string, Grant[] | undefined>();
/** The denied calls of functions since the last look. */
const refused = new Set<string>();
/** Writes and events of operations after their answer, when a function on AWS may be frozen. */
const late = new Set<string>();

/** Workers that process an operation's jobs. */
const DOES_JOBS = new Set(['run-job', 'preview-links']);

export const inFunction: Around = (name, run) => {
  const cause = (DOES_JOBS.has(name) ? running.getStore()?.cause : undefined) ?? name;
  const here: Running = { name, cause, isOver: false };
  return running.run(here, async () => {
    try {
      const answer = await run();
      noteAnswer(name, answer, here.causes);
      return answer;
    } finally {
      here.isOver = true;
    }
  });
};

/** The policy of a function, by its operation or the name of the worker; none if it is not deployed. */
export function policyOf(name: string): Grant[] | undefined {
  if (!policies.has(name)) {
    const endpoint = (endpoints as Record<string, AnyEndpoint>)[name];
    const uses = endpoint ? usesOf(endpoint) : workerUses(true)[name];
    policies.set(name, uses && grantsFor(uses, places));
  }
  return policies.get(name);
}

/** Checks the calls of functions against their policies, and records the events that they write. */
export function holdToPolicies(services: Services): void {
  const causes: Causes = new Map();
  services.appends?.on('entry', (position, entry) => {
    const { cause = '' } = running.getStore() ?? {};
    causes.set(position, cause);
    noteEntry(cause, entry);
  });
  judgeCalls(services, (call) => {
    const here = running.getStore();
    if (here === undefined) return;
    here.causes = causes;
    const { name, isOver } = here;
    if (isOver && CHANGES.test(call.action)) late.add(`${name}: ${describe(call)}`);
    const policy = policyOf(name);
    if (policy === undefined || isAllowed(policy, call)) return;
    const words = `${name} may not ${describe(call)}: see uses, areas and folders`;
    refused.add(words);
    throw new Error(`AccessDenied: ${words}`);
  });
}

const CHANGES = /:(Put|Update|Delete|Create|Send)/;

const describe = ({ action, resource, context }: CallOfAws): string =>
  `${action} ${resource.split(':').at(-1)} ${context['dynamodb:LeadingKeys'] ?? ''}`.trim();

/** The denied calls of functions, once. */
export const takeRefused = (): string[] => takeAll(refused);

/** The writes of an operation after its answer, once. */
export const takeLate = (): string[] => takeAll(late);

function takeAll(noted: Set<string>): string[] {
  const all = [...noted];
  noted.clear();
  return all;
}
