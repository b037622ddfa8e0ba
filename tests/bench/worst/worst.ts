import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { callAs, successOf } from '#tests/conformance/requests.ts';
import { samples } from '#tests/conformance/samples/samples.ts';
import { createWorld, restoreCaller } from '#tests/conformance/world.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { fillOrganization } from '#tests/harness/large-organization.ts';
import { addPhone } from '#tests/harness/relay.ts';
import type { TestService } from '#tests/harness/service.ts';
import { exempt, type LargeWorld, type Name, worstCalls } from './worst-calls.ts';

export interface Worst {
  name: Name;
  route: string;
  status: number;
  /** The answer, if it was no success. */
  failure: string | undefined;
  read: number;
  write: number;
  bytes: number;
  /** Time of this process: the operation, and the client that calls it. */
  cpuMs: number;
}

const SIZE = { people: 1_000, channels: 200, subscribed: 200, subscribers: 100, groups: 50, members: 200 };
const MESSAGES = 5_000;

/** An organization in which calls can request much. */
export async function createLargeWorld(service: TestService): Promise<LargeWorld> {
  const world = await createWorld(service);
  // The library of pictures starts with the first one of a process: 1.1 s of CPU, whichever operation brings it.
  await callAs(service.url, endpoints.uploadOwnAvatar, {}, world.caller.authorization);
  await addPhone(service, world.caller);
  const made = await fillOrganization(service.services, world.caller.userId, SIZE);
  const place = { channelId: world.channelId, channelName: world.channel };
  const { first } = await fillLog(service.services, place, MESSAGES, MESSAGES, () => 'word '.repeat(100));
  const { body } = await world.caller.get('/users/me/subscriptions');
  const channels = body.subscriptions.map(({ stream_id, name }: { stream_id: number; name: string }) => ({
    id: stream_id,
    name,
  }));
  const messageIds = Array.from({ length: MESSAGES }, (_, n) => first + n);
  return { ...world, userIds: made.userIds, groupIds: made.groupIds, channels, messageIds };
}

/** The costs of the most expensive known call of each operation, without the jobs that it gives to workers. */
export async function measureWorst(world: LargeWorld): Promise<Worst[]> {
  const all: Worst[] = [];
  for (const [name, endpoint] of Object.entries(endpoints) as [Name, AnyEndpoint][]) {
    all.push(await measureCall(world, name, endpoint));
    await restoreCaller(world);
  }
  return all;
}

async function measureCall(world: LargeWorld, name: Name, endpoint: AnyEndpoint): Promise<Worst> {
  const { service, caller } = world;
  const params = await (worstCalls[name] ?? samples[name])(world);
  await service.settle();
  const release = holdJobs(service);
  service.meter.reset();
  const before = process.cpuUsage();
  const { status, body } = await callAs(service.url, endpoint, params, caller.authorization);
  const { user, system } = process.cpuUsage(before);
  const { read, write } = service.meter;
  await release();
  return {
    name,
    route: endpoint.route,
    status,
    failure: status === successOf(endpoint) ? undefined : JSON.stringify(body),
    read,
    write,
    bytes: body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body)),
    cpuMs: (user + system) / 1000,
  };
}

export const MAX_UNITS = 1_000;
export const MAX_CPU_MS = 1_000;

/** The result of the last measurement of one operation. */
export interface Measured {
  route: string;
  read: number;
  write: number;
  bytes: number;
  cpuMs: number;
}

/** The calls as they are kept, the most expensive first. */
export const toMeasured = (all: Worst[]): Measured[] =>
  all
    .map(({ route, read, write, bytes, cpuMs }) => ({ route, read, write, bytes, cpuMs: Math.round(cpuMs) }))
    .toSorted((a, b) => unitsOf(b) - unitsOf(a) || (a.route < b.route ? -1 : 1));

const unitsOf = ({ read, write }: Measured): number => read + write;

/** The page lists the operations above either. */
const LISTED_UNITS = 50;
const LISTED_CPU_MS = 100;

/** What bounds the operations that exceed a limit, by route. */
export const boundOf: ReadonlyMap<string, string> = new Map(
  Object.entries(exempt).map(([name, reason]) => [endpoints[name as Name].route, reason]),
);

/** The page of the most expensive calls. */
export function worstPage(measured: Measured[]): string {
  const listed = measured.filter((call) => unitsOf(call) > LISTED_UNITS || call.cpuMs > LISTED_CPU_MS);
  const rows = listed.map((call) =>
    [
      `\`${call.route}\``,
      `${call.read} + ${call.write}`,
      Math.ceil(call.bytes / 1000),
      call.cpuMs,
      boundOf.get(call.route) ?? '',
    ].join(' | '),
  );
  return `# The most expensive calls

The costs of calls that request as much as they may, in an organization of ${SIZE.people} people, ${SIZE.channels} channels with ${SIZE.subscribers} subscribers each,
${SIZE.groups} groups and ${MESSAGES} messages, without the jobs that they leave. \`npm run bench -- worst\` measures all operations and writes this page;
\`tests/bench/worst/measured.json\` has the ${measured.length - listed.length} that need at most ${LISTED_UNITS} units and ${LISTED_CPU_MS} ms.

A call takes at most ${MAX_UNITS} units and ${MAX_CPU_MS} ms, unless the last column names another bound. The CPU time includes the client and
the first call's compilation, on the machine that measured it.

| operation | read + write units | KB of the reply | CPU, ms | bound |
| --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}
