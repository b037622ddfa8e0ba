import * as z from 'zod/mini';
import type { ReminderRecord } from '#shared/actions/scheduled-messages/present-reminders.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { withSockets } from '#shared/adapters/sockets/aws-sockets.ts';
import { includeSubscribers } from '#shared/api/contracts/include-subscribers.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { fitSnapshot } from '#shared/api/fit-snapshot.ts';
import { lambda } from '#shared/api/lambda.ts';
import {
  json,
  jsonOrText,
  maxLength,
  optional,
  type ValuesOf,
  withAlias,
  withDefault,
} from '#shared/api/parameters.ts';
import { versions } from '#shared/api/schemas.ts';
import { BadRequest, RateLimitHit, Unauthorized } from '#shared/domain/errors.ts';
import { versionFields } from '#shared/domain/organization/versions.ts';
import { DEFAULT_HISTORY_DAYS } from '#shared/domain/presence/list.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import { knownEventTypes } from '#shared/events/catalogue.ts';
import { endOfPosition } from '#shared/events/event-id.ts';
import {
  capabilityNames,
  limitsOfToken,
  type QueueFilter,
  withinLimits,
} from '#shared/events/queue-filter.ts';
import { checkQueueNarrow } from '#shared/events/queue-narrow.ts';
import { createQueue } from '#shared/queues/queue.ts';
import { grantSocket, socketToken } from '#shared/queues/socket/grant.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { takeSnapshot } from '#shared/snapshot/snapshot.ts';
import { describeToSpectator } from '#shared/snapshot/spectate.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { requireSpectatorAccess } from '#shared/store/channels/spectators.ts';
import { rememberActive } from '#shared/store/users/users.ts';
import type { Table } from '#shared/table/table.ts';

const DEFAULT_IDLE_TIMEOUT_SECONDS = 600;
const MOBILE_IDLE_TIMEOUT_SECONDS = 12 * 3600;
const MAX_IDLE_TIMEOUT_SECONDS = 7 * 24 * 3600;
const LONG_POLL_TIMEOUT_SECONDS = 90;
/** No person makes a filter with more terms. */
const MAX_NARROW_TERMS = 20;
/** Longer than all channel names, topics and e-mail addresses. */
const MAX_OPERAND_LENGTH = 500;

/** Requests the address of a socket, in addition to the capabilities that shape events. */
const SOCKET_CAPABILITY = 'event_socket';

const capabilities = z.object(
  Object.fromEntries(
    [...capabilityNames, SOCKET_CAPABILITY].map((name) => [name, z.optional(z.boolean())]),
  ) as Record<
    (typeof capabilityNames)[number] | typeof SOCKET_CAPABILITY,
    z.ZodMiniOptional<z.ZodMiniBoolean>
  >,
);

const params = {
  apply_markdown: withDefault(json(z.boolean(), 'Messages come as HTML instead of source'), false),
  client_gravatar: optional(
    json(z.boolean(), 'The client computes Gravatar addresses; true when absent, but not without an account'),
  ),
  include_subscribers: includeSubscribers,
  slim_presence: withDefault(json(z.boolean(), 'Presence is keyed by user id'), false),
  presence_history_limit_days: withDefault(
    json(z.int().check(z.minimum(0)), 'Days of presences to return; 0 for no presences'),
    DEFAULT_HISTORY_DAYS,
  ),
  event_types: optional(json(z.nullable(z.array(z.string())), 'The events to deliver; all when absent')),
  fetch_event_types: optional(
    json(z.nullable(z.array(z.string())), 'The data to return; as `event_types` when absent or null'),
  ),
  all_public_streams: optional(
    json(z.boolean(), 'Delivers messages of all public channels; false, unless a bot says otherwise'),
  ),
  client_capabilities: withDefault(json(capabilities, 'The capabilities of the client'), {}),
  narrow: optional(
    json(
      z.array(z.tuple([z.string(), z.string().check(maxLength(MAX_OPERAND_LENGTH))])),
      'Pairs of operator and operand that messages must fulfil; all do, unless a bot says otherwise',
    ),
  ),
  idle_queue_timeout: withAlias(
    optional(
      jsonOrText(
        z.union([z.int(), z.literal('mobile')]),
        'Seconds that the queue lives without polling, or `mobile`',
      ),
    ),
    'queue_lifespan_secs',
  ),
};

/** Creates an event queue and returns a snapshot of current data that the queue continues. */
export const registerQueue = endpoint({
  route: 'POST /register',
  summary: 'Register an event queue',
  allow: 'userOrAnonymous',
  scope: 'read',
  obeysChannels: true,
  params,
  result: z.looseObject({
    queue_id: z.nullable(z.string()),
    last_event_id: z.int(),
    idle_queue_timeout_secs: z.optional(z.int()),
    event_queue_longpoll_timeout_seconds: z.int(),
    event_socket: z.optional(z.object({ url: z.string(), token: z.string() })),
    ...versions,
  }),
  errors: [BadRequest, RateLimitHit, Unauthorized],
  emits: [],
  uses: {
    table: 'write',
    areas: ['accounts', 'messages', 'drafts', 'scheduled', 'queues', 'uploads'],
    deploymentTime: true,
    socketAddress: true,
  },
  timeoutSeconds: 29,
  memoryMegabytes: 1024,
  async handle(params, { services, caller, acceptsGzip }) {
    const input = { ...params, ...(await loadBotDefaults(services.table, caller, params)) };
    if (!caller) return registerSpectator(services, input, acceptsGzip);
    if (input.all_public_streams && isGuest(caller))
      throw new BadRequest('User not authorized for this query');
    const limits = limitsOfToken(caller);
    const asked = readFilter(input);
    const filter = { ...asked, ...limits, eventTypes: withinLimits(limits, asked.eventTypes) };
    const idleTimeoutSeconds = readIdleTimeout(input.idle_queue_timeout);
    const snapshot = await takeSnapshot(services, {
      caller,
      filter,
      fetchTypes: withinLimits(limits, input.fetch_event_types ?? input.event_types ?? null),
      includeSubscribers: input.include_subscribers,
      presenceHistoryDays: input.presence_history_limit_days,
    });
    await rememberActive(services.table, caller, toSeconds(services.clock.nowMs()));
    const socket =
      input.client_capabilities.event_socket && !caller.token ? grantSocket(services, caller) : undefined;
    const owner = {
      userId: caller.userId,
      filter,
      ...(caller.token && { tokenId: caller.token.tokenId }),
      idleTimeoutSeconds,
      ...(socket && { socket: socket.right }),
    };
    const described = await withReminders(services, caller, snapshot.fields);
    const { fields, deferred } = await fitSnapshot(described, {
      userId: caller.userId,
      acceptsGzip,
      room: services.config.snapshotBytes,
    });
    const deferral = { deferred, includeSubscribers: input.include_subscribers };
    const queue = await createQueue(services, owner, snapshot.position, deferral);
    return {
      ...fields,
      queue_id: queue.queueId,
      last_event_id: endOfPosition(snapshot.position),
      idle_queue_timeout_secs: idleTimeoutSeconds,
      event_queue_longpoll_timeout_seconds: LONG_POLL_TIMEOUT_SECONDS,
      ...(socket && { event_socket: { url: socket.url, token: socketToken(queue, socket.key) } }),
      ...versionFields,
    };
  },
});

export const handler = lambda(registerQueue, withSockets(awsServices));

/** The snapshot with the texts of reminders that the caller may read now. */
async function withReminders(
  services: Services,
  caller: User,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const reminders = (fields.reminders ?? []) as ReminderRecord[];
  if (reminders.length === 0) return fields;
  // Loaded on demand: few people have reminders.
  const { withPresentTexts } = await import('#shared/actions/scheduled-messages/present-reminders.ts');
  return { ...fields, reminders: await withPresentTexts(services, caller, reminders) };
}

interface BotDefaults {
  all_public_streams: boolean;
  narrow: string[][];
}
type Given = Omit<ValuesOf<typeof params>, keyof BotDefaults> & BotDefaults;

/** Bots may have default filters for their queues. */
async function loadBotDefaults(
  table: Table,
  caller: User | undefined,
  asked: { all_public_streams?: boolean | undefined; narrow?: string[][] | undefined },
): Promise<BotDefaults> {
  const { all_public_streams = false, narrow = [] } = asked;
  if (!caller?.bot) return { all_public_streams, narrow };
  const { eventsChannel, usesAllPublicChannels } = caller.bot;
  const channel =
    eventsChannel && narrow.length === 0 ? await findChannel(table, eventsChannel.channelId) : undefined;
  return {
    all_public_streams: asked.all_public_streams ?? (usesAllPublicChannels && !isGuest(caller)),
    narrow: channel ? [['channel', channel.name]] : narrow,
  };
}

/** A caller without an account gets as much public data as a reply holds, and no queue that could deliver the rest. */
async function registerSpectator(services: Services, input: Given, acceptsGzip: boolean) {
  await requireSpectatorAccess(services.table);
  if (input.client_gravatar)
    throw new BadRequest("Invalid 'client_gravatar' parameter for anonymous request");
  if (input.include_subscribers !== 'false')
    throw new BadRequest("Invalid 'include_subscribers' parameter for anonymous request");
  const shown = await describeToSpectator(services, {
    filter: readFilter({ ...input, client_gravatar: false }),
    fetchTypes: input.fetch_event_types ?? input.event_types ?? null,
  });
  const { fields } = await fitSnapshot(shown, { acceptsGzip, room: services.config.snapshotBytes });
  return {
    ...fields,
    queue_id: null,
    last_event_id: -1,
    event_queue_longpoll_timeout_seconds: LONG_POLL_TIMEOUT_SECONDS,
    ...versionFields,
  };
}

/** The events that the queue delivers. Unknown event types are left out, so that they cost nothing. */
function readFilter(input: Omit<ValuesOf<typeof params>, keyof BotDefaults> & BotDefaults): QueueFilter {
  if (input.narrow.length > MAX_NARROW_TERMS)
    throw new BadRequest(`narrow has too many terms (limit: ${MAX_NARROW_TERMS})`);
  const narrow = input.narrow.map(([operator = '', operand = '']): [string, string] => [operator, operand]);
  checkQueueNarrow(narrow);
  return {
    applyMarkdown: input.apply_markdown,
    clientGravatar: input.client_gravatar ?? true,
    slimPresence: input.slim_presence,
    eventTypes: input.event_types ? knownEventTypes(input.event_types) : null,
    allPublicChannels: input.all_public_streams,
    narrow,
    capabilities: capabilityNames.filter((name) => input.client_capabilities[name]),
  };
}

function readIdleTimeout(input: number | 'mobile' | undefined): number {
  if (input === undefined) return DEFAULT_IDLE_TIMEOUT_SECONDS;
  if (input === 'mobile') return MOBILE_IDLE_TIMEOUT_SECONDS;
  if (input <= 0) throw new BadRequest('idle_queue_timeout is too small');
  return Math.min(input, MAX_IDLE_TIMEOUT_SECONDS);
}
