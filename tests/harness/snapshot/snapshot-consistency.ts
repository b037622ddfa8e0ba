import { expect, TestRunner } from 'vitest';
import { Client, type EventQueue, type Params, type ReceivedEvent } from '#tests/harness/client.ts';
import type { TestService } from '#tests/harness/service.ts';
import { applyEvents } from './apply-events.ts';
import type { SnapshotData } from './snapshot-data.ts';
import { asFarAsKnown, sureOf } from './snapshot-data.ts';

const CAPABILITIES = {
  notification_settings_null: true,
  empty_topic_name: true,
  bulk_message_deletion: true,
  user_settings_object: true,
};
/** Requests a snapshot that events can be applied to. */
export const REQUEST = { include_subscribers: true, apply_markdown: true, client_capabilities: CAPABILITIES };
/** The fields of a register reply about the queue, not the state. */
const ABOUT_THE_QUEUE = [
  'queue_id',
  'last_event_id',
  'result',
  'msg',
  'server_timestamp',
  'presence_last_update_id',
];

/** Deprecated numbers that register has and events do not repeat. */
const ONLY_IN_REGISTER = ['realm_create_public_stream_policy', 'realm_create_private_stream_policy'];

type Write = () => Promise<unknown>;
type Capabilities = Record<string, boolean>;
/** A user whose client has the usual capabilities, or others. */
export type Observer = Client | [Client, Capabilities];

interface Watch {
  request: Params;
  queue: EventQueue;
  /** Events that were received already and are not in the queue's snapshot. */
  heard: ReceivedEvent[];
}

/**
 * The snapshot consistency check: for each observer, the snapshot from before some writes, with the events that came
 * since, equals a fresh snapshot. Of several steps it holds after each. If an observer existed before, it continues
 * from there, so that the rule holds for everything between as well.
 */
export async function expectConsistentSnapshot(
  service: TestService,
  observers: Observer[],
  steps: Write | Write[],
  capabilities: Capabilities = {},
): Promise<void> {
  let watches = await Promise.all(observers.map((observer) => watch(service, observer, capabilities)));
  for (const [step, write] of [steps].flat().entries()) {
    await write();
    await service.settle();
    const fresh: Watch[] = [];
    for (const one of watches) fresh.push(await expectAgreement(one, step));
    watches = fresh;
  }
  for (const { request, queue } of watches) service.observers.set(nameOf(queue.client, request), queue);
}

/** Continues from the observer's last state, as long as that queue lives; else starts now. */
async function watch(service: TestService, observer: Observer, capabilities: Capabilities): Promise<Watch> {
  const [client, own] = observer instanceof Client ? [observer, {}] : observer;
  const request = { ...REQUEST, client_capabilities: { ...CAPABILITIES, ...capabilities, ...own } };
  const name = nameOf(client, request);
  const queue = service.observers.get(name);
  // If the rule is broken, one test fails and not all that follow.
  service.observers.delete(name);
  const heard = await queue?.drainIfAlive();
  return queue && heard
    ? { request, queue, heard }
    : { request, queue: await client.register(request), heard: [] };
}

const nameOf = ({ userId }: Client, request: Params): string => `${userId} ${JSON.stringify(request)}`;

/** Returns a watch that starts at the end of the comparison. */
async function expectAgreement({ request, queue, heard }: Watch, step: number): Promise<Watch> {
  // If a step has more events than a reply holds, the comparison misses the rest.
  const events = [...heard, ...(await queue.takeReply())];
  const fresh = await queue.client.register(request);
  const replayed = applyEvents(queue.snapshot, events);
  noteReplayed(events);
  expect(aboutState(sureOf(replayed)), `step ${step + 1} as user ${queue.client.userId} sees it`).toEqual(
    aboutState(asFarAsKnown(fresh.snapshot, replayed)),
  );
  return { request, queue: fresh, heard: [] };
}

declare module 'vitest' {
  interface TaskMeta {
    /** Types of the events that were replayed onto a snapshot, as `type` or `type/op`. */
    replayed?: string[];
  }
}

/** Records in the report of the run which events the test replayed; `npm test` requires every type. */
function noteReplayed(events: ReceivedEvent[]): void {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (!meta) return;
  const types = events.map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
  meta.replayed = [...new Set([...(meta.replayed ?? []), ...types])];
}

/** The common part of two snapshots of the same state. */
export function aboutState(snapshot: SnapshotData): SnapshotData {
  const state = { ...snapshot };
  for (const name of [...ABOUT_THE_QUEUE, ...ONLY_IN_REGISTER]) delete state[name];
  return state;
}
