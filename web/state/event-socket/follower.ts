import type { WireEvent } from '../wire-events.ts';

/** A text that the service sends through a socket. */
export type SocketText =
  | { op: 'opened' | 'events'; position: number; events: WireEvent[] }
  | { op: 'closed'; code: string; 'retry-after'?: number }
  | { op: 'poll' | 'pong' };

/** The events of one text about the queue. */
interface Batch {
  events: readonly WireEvent[];
  position: number;
}

/** The client's position in its queue, by polls and sockets together, and the state of its socket. */
export interface Follower {
  lastEventId: number;
  /** The highest log position that a socket named; 0 before. */
  position: number;
  socket: 'none' | 'opening' | 'open';
  /** The position that the client last named to this socket. */
  namedPosition: number;
  /** Texts that were pushed before the socket was opened, in order. */
  kept: readonly Batch[];
}

/** Why a socket is over. */
export type Ending =
  /** The client lacks too much. Polls are faster. */
  | { kind: 'behind' }
  /** The credentials of the registration have ended. */
  | { kind: 'refused' }
  /** The service wants fewer sockets. */
  | { kind: 'busy'; pauseMs: number }
  /** The client left, to see at once whether the service is there. */
  | { kind: 'left' }
  /** The connection ended, or the service knows why. */
  | { kind: 'cut' };

/** The consequences of a text of the service. */
export interface Heard {
  follower: Follower;
  /** Events that the client did not have, in order. */
  events: WireEvent[];
  /** The client acknowledges its position now. */
  isAckDue: boolean;
  ending?: Ending;
}

/** Acknowledges after this many positions, so that a service that lost the connection rereads at most these. */
const POSITIONS_WITHOUT_ACK = 200;
const REFUSALS = ['INVALID_API_KEY', 'UNAUTHORIZED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'];

export const followFrom = (lastEventId: number): Follower => ({
  lastEventId,
  position: 0,
  socket: 'none',
  namedPosition: 0,
  kept: [],
});

/** A socket is being opened. */
export const beginSocket = (follower: Follower): Follower => ({
  ...follower,
  socket: 'opening',
  namedPosition: follower.position,
  kept: [],
});

/** The socket is over. Texts pushed before it was opened are fetched again. */
export const endSocket = (follower: Follower): Follower => ({ ...follower, socket: 'none', kept: [] });

/** The client's position, as `open` and `ack` report it. */
export const progressOf = ({ lastEventId, position }: Follower): Record<string, unknown> => ({
  last_event_id: lastEventId,
  ...(position > 0 && { position }),
});

/** The text that a socket received; undefined if it does not match the protocol. */
export function readText(data: unknown): SocketText | undefined {
  try {
    const text: SocketText | null = JSON.parse(String(data));
    return typeof text?.op === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the answer to a poll. */
export const afterPoll = (follower: Follower, events: readonly WireEvent[]): Heard =>
  take(follower, [{ events, position: 0 }]);

/** Takes a text of the socket. Texts of a later version of the protocol change nothing. */
export function afterText(follower: Follower, text: SocketText): Heard {
  switch (text.op) {
    case 'opened':
      return take({ ...follower, socket: 'open', kept: [] }, [text, ...follower.kept]);
    case 'events':
      return follower.socket === 'opening'
        ? nothing({ ...follower, kept: [...follower.kept, text] })
        : take(follower, [text]);
    case 'poll':
      return { ...nothing(follower), ending: { kind: 'behind' } };
    case 'closed':
      return { ...nothing(follower), ...closed(follower, text) };
    default:
      return nothing(follower);
  }
}

const nothing = (follower: Follower): Heard => ({ follower, events: [], isAckDue: false });

function closed(
  follower: Follower,
  { code, 'retry-after': seconds = 0 }: SocketText & { op: 'closed' },
): Pick<Heard, 'follower' | 'ending'> {
  if (REFUSALS.includes(code)) return { follower, ending: { kind: 'refused' } };
  if (code === 'RATE_LIMIT_HIT') return { follower, ending: { kind: 'busy', pauseMs: seconds * 1000 } };
  // A service that was set back to an older state does not know the position; the polls say the same of the queue.
  return { follower: { ...follower, position: 0 }, ending: { kind: 'cut' } };
}

function take(before: Follower, all: readonly Batch[]): Heard {
  const events: WireEvent[] = [];
  let { lastEventId, position, namedPosition } = before;
  for (const batch of all) {
    for (const event of batch.events) {
      if (event.id <= lastEventId) continue;
      lastEventId = event.id;
      events.push(event);
    }
    position = Math.max(position, batch.position);
  }
  const isAckDue = position - namedPosition >= POSITIONS_WITHOUT_ACK;
  if (isAckDue) namedPosition = position;
  return { follower: { ...before, lastEventId, position, namedPosition }, events, isAckDue };
}
