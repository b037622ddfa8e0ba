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

const HEAD = `# The most expensive call of each operation

What a call takes that asks for as much as it may, in an organization of ${SIZE.people} people, ${SIZE.channels} channels with ${SIZE.subscribers} subscribers each, ${SIZE.groups} groups
and ${MESSAGES} messages; calls without lists and long texts are those of the laws of the API. Jobs are left out: they are divided into steps.
\`npm run bench -- worst\` measures it anew and writes this page. CPU is that of the service and of the client together, where it is first
called, on the machine that measured it. A call takes at most ${MAX_UNITS} units and ${MAX_CPU_MS} ms of CPU, or something else bounds it.

| operation | read units | write units | bytes | CPU, ms | what bounds it |
| --- | --- | --- | --- | --- | --- |
`;

/** The calls as a page, the most expensive first. */
export function worstPage(all: Worst[]): string {
  const rows = all
    .toSorted((a, b) => b.read + b.write - a.read - a.write || (a.route < b.route ? -1 : 1))
    .map(({ name, route, read, write, bytes, cpuMs }) =>
      [route, read, write, bytes, Math.round(cpuMs), exempt[name] ?? ''].join(' | '),
    );
  return `${HEAD}${rows.map((row) => `| ${row} |\n`).join('')}`;
}
