import type { Connection, Connections } from '#shared/domain/sockets/connection.ts';
import {
  advancePlace,
  claimPlace,
  type Place,
  type PlaceState,
  releasePlace,
  renewPlace,
  toPlaceState,
} from '#shared/log/follow.ts';
import { readHead } from '#shared/log/head.ts';
import type { PartWork, Services, Sockets } from '#shared/runtime/services.ts';
import { tableConnections } from '#shared/store/sockets/connections.ts';
import { socketKeys } from '#shared/table/keys/queues.ts';
import type { Item } from '#shared/table/table.ts';
import { PATIENCE_MS } from './may-wait.ts';

/** The pusher skips more entries than this when no connection needs them. */
const WORTH_SKIPPING = 100;

/** The open connections: the connections of this process, or items of the table. */
export const connectionsOf = (services: Services, { connections }: Sockets): Connections =>
  connections ?? tableConnections(services);

/**
 * Ends a connection, whose client then comes back and gets the events that it missed. One that cannot be closed now
 * receives nothing further, and the pusher closes it later; returns false for it.
 */
export async function endConnection(
  sockets: Sockets,
  connections: Connections,
  connection: Connection,
): Promise<boolean> {
  const hasEnded = (await sockets.end(connection.connectionId)) !== 'busy';
  if (hasEnded) await connections.remove(connection);
  else await connections.markLost(connection);
  return hasEnded;
}

/**
 * The connections that have received less than all others, because their events may wait; each with the position up to
 * which it received everything.
 */
export type Behind = Record<string, number>;

/** The place of the pusher, the connections that are behind it, and whether this pusher serves them too. */
export interface PusherPlace extends Place {
  behind: Behind;
  readonly isForAll: boolean;
}

interface PusherState extends PlaceState {
  behind: Behind;
}

/** How far each process pushed to connections of its own. */
const states = new WeakMap<Connections, PusherState>();

/** How far the log was pushed to the connections: as this process knows, or an item of the table. */
export function pusherPlace(services: Services, sockets: Sockets, wanted: PartWork): PusherPlace {
  const start = (position: number) => findStart(services, sockets, position, wanted);
  return sockets.connections
    ? ownPlace(sockets.connections, start, wanted)
    : tablePlace(services, sockets, start, wanted);
}

type FindStart = (position: number) => Promise<number>;

/** Whether nothing is left to push, as far as this wake-up knows. */
function isPushed({ position, behind }: PusherState, { upTo, isForAll }: PartWork): boolean {
  const lacks = Object.values(behind).some((pushedTo) => pushedTo < upTo);
  return upTo > 0 && position >= upTo && !(isForAll && lacks);
}

type Progress = 'pushed' | 'at work' | 'behind';

/** Whether a part has everything of this work, or a pusher is at work for it. */
export async function progressOf(services: Services, work: PartWork): Promise<Progress> {
  const state = toPusherState(await services.table.find(socketKeys.pusher(work.part.number)));
  if (isPushed(state, work)) return 'pushed';
  return state.claimedUntilMs > services.clock.nowMs() ? 'at work' : 'behind';
}

const toPusherState = (item: Item | undefined): PusherState => ({
  ...toPlaceState(item),
  behind: (item?.behind ?? {}) as Behind,
});

const owes = ({ behind, isForAll }: PusherPlace): boolean => isForAll && Object.keys(behind).length > 0;

function ownPlace(connections: Connections, start: FindStart, wanted: PartWork): PusherPlace {
  const stateOf = (): PusherState =>
    states.get(connections) ?? { position: 0, claimedUntilMs: 0, behind: {} };
  const set = (state: Partial<PusherState>) => states.set(connections, { ...stateOf(), ...state });
  return {
    behind: {},
    isForAll: wanted.isForAll,
    async claim() {
      const state = stateOf();
      if (state.claimedUntilMs > 0) return 'taken';
      if (isPushed(state, wanted) || (await connections.isEmpty())) return undefined;
      set({ claimedUntilMs: Infinity });
      this.behind = state.behind;
      try {
        return { claimId: '', position: await start(state.position) };
      } catch (failure) {
        set({ claimedUntilMs: 0 });
        throw failure;
      }
    },
    async advance(_claim, position, isLast) {
      set({ position, behind: this.behind, ...(isLast && { claimedUntilMs: 0 }) });
      return true;
    },
    renew: async () => true,
    owes() {
      return owes(this);
    },
    async release() {
      set({ claimedUntilMs: 0 });
    },
  };
}

function tablePlace(services: Services, sockets: Sockets, start: FindStart, wanted: PartWork): PusherPlace {
  const { number } = wanted.part;
  const key = socketKeys.pusher(number);
  const { clock } = services;
  let isFirstLook = true;
  const stays = wanted.restMs !== undefined;
  /** Of a pusher that stays: since when someone has been behind, and whether it has done what it was woken for. */
  let behindSinceMs: number | undefined;
  let isPastWakeUp = false;
  return {
    behind: {},
    get isForAll() {
      const isLate = behindSinceMs !== undefined && clock.nowMs() - behindSinceMs >= PATIENCE_MS;
      return isLate || (wanted.isForAll && !isPastWakeUp);
    },
    async claim() {
      // Whoever woke the pusher has seen connections just now.
      if (!isFirstLook && (await connectionsOf(services, sockets).isEmpty(number))) return undefined;
      isFirstLook = false;
      const state = toPusherState(await services.table.find(key));
      if (isPushed(state, wanted)) return undefined;
      const position = await start(state.position);
      const claim = await claimPlace(services, key, state);
      this.behind = state.behind;
      return claim === 'taken' ? claim : { ...claim, position };
    },
    advance(claim, position, isLast) {
      isPastWakeUp = stays && position >= wanted.upTo;
      if (Object.keys(this.behind).length === 0) behindSinceMs = undefined;
      else if (stays) behindSinceMs ??= clock.nowMs();
      return advancePlace(services, key, claim, position, isLast, { behind: this.behind });
    },
    renew: (claim) => renewPlace(services, key, claim),
    owes() {
      return owes(this);
    },
    release: (claim) => releasePlace(services, key, claim),
  };
}

/** Where to go on. What every connection had when it was opened is left out if it is much. */
async function findStart(
  services: Services,
  sockets: Sockets,
  position: number,
  { part, upTo }: PartWork,
): Promise<number> {
  if (upTo - position <= WORTH_SKIPPING) return position;
  const all = await connectionsOf(services, sockets).list(part.number);
  // A client may name a position beyond the end of the log.
  const { position: head } = await readHead(services);
  return Math.max(position, Math.min(head, ...all.map(({ fromPosition }) => fromPosition)));
}
