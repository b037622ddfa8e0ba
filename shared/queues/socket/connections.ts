import type { Connection, Connections } from '#shared/domain/sockets/connection.ts';
import {
  advancePlace,
  claimPlace,
  type Place,
  type PlaceState,
  releasePlace,
  toPlaceState,
} from '#shared/log/follow.ts';
import { readHead } from '#shared/log/head.ts';
import type { Services, Sockets } from '#shared/runtime/services.ts';
import { tableConnections } from '#shared/store/sockets/connections.ts';
import { socketKeys } from '#shared/table/poll-keys.ts';

/** The pusher skips more entries than this when no connection needs them. */
const WORTH_SKIPPING = 100;

/** The open connections: those of this process, or items of the table. */
export const connectionsOf = (services: Services, { connections }: Sockets): Connections =>
  connections ?? tableConnections(services);

/**
 * Ends a connection, whose client then comes back and gets what it has missed. One that cannot be closed now is told
 * nothing more, and the pusher closes it later; returns false for it.
 */
export async function endConnection(
  sockets: Sockets,
  connections: Connections,
  one: Connection,
): Promise<boolean> {
  const hasEnded = (await sockets.end(one.connectionId)) !== 'busy';
  if (hasEnded) await connections.remove(one);
  else await connections.markLost(one);
  return hasEnded;
}

/** The position up to which each process pushed to connections of its own. */
const positions = new WeakMap<Connections, PlaceState>();

/** How far the log was pushed to the connections: as this process knows, or an item of the table. */
export function pusherPlace(services: Services, sockets: Sockets, upTo: number): Place {
  const start = (position: number) => findStart(services, sockets, position, upTo);
  return sockets.connections
    ? ownPlace(sockets.connections, start)
    : tablePlace(services, sockets, start, upTo);
}

type FindStart = (position: number) => Promise<number>;

function ownPlace(connections: Connections, start: FindStart): Place {
  const stateOf = (): PlaceState => positions.get(connections) ?? { position: 0, claimedUntilMs: 0 };
  const set = (state: Partial<PlaceState>) => positions.set(connections, { ...stateOf(), ...state });
  return {
    async claim() {
      const { position, claimedUntilMs } = stateOf();
      if (claimedUntilMs > 0) return 'taken';
      if (await connections.isEmpty()) return undefined;
      set({ claimedUntilMs: Infinity });
      return { claimId: '', position: await start(position) };
    },
    async advance(_claim, position, isLast) {
      set({ position, ...(isLast && { claimedUntilMs: 0 }) });
      return true;
    },
    async release() {
      set({ claimedUntilMs: 0 });
    },
  };
}

function tablePlace(services: Services, sockets: Sockets, start: FindStart, upTo: number): Place {
  const key = socketKeys.pusher();
  return {
    async claim() {
      if (await connectionsOf(services, sockets).isEmpty()) return undefined;
      const state = toPlaceState(await services.table.find(key));
      const isTold = upTo > 0 && state.position >= upTo;
      if (isTold) return undefined;
      const position = await start(state.position);
      const claim = await claimPlace(services, key, state);
      return claim === 'taken' ? claim : { ...claim, position };
    },
    advance: (...done) => advancePlace(services, key, ...done),
    release: (claim) => releasePlace(services, key, claim),
  };
}

/** Where to go on. What every connection had when it was opened is left out if it is much. */
async function findStart(
  services: Services,
  sockets: Sockets,
  position: number,
  upTo: number,
): Promise<number> {
  if (upTo - position <= WORTH_SKIPPING) return position;
  const all = await connectionsOf(services, sockets).list();
  // A client may pretend to have what is not there yet.
  const { position: head } = await readHead(services);
  return Math.max(position, Math.min(head, ...all.map(({ fromPosition }) => fromPosition)));
}
