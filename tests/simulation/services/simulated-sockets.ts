import type { Posted, Sockets } from '#shared/runtime/services.ts';
import { Throttled } from '#shared/table/table.ts';
import { NoReply, type Process } from '#tests/simulation/process.ts';
import type { Simulation } from '#tests/simulation/simulation.ts';
import type { Fault } from '#tests/simulation/tables/faults.ts';

const BUSY_MS = [1, 2_000] as const;

/** One connection of a client to the gateway, until one of them ends it. */
export interface SimulatedSocket {
  connectionId: string;
  isOpen: boolean;
  /** The client takes a text, or learns that the connection is closed. */
  take(text: string | undefined): void;
}

/** The gateway's connections. It notifies no one when a client is gone. */
export class SimulatedSockets {
  readonly #simulation: Simulation;
  readonly #open = new Map<string, SimulatedSocket>();
  readonly #busyUntilMs = new Map<string, number>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  connect(connectionId: string, take: SimulatedSocket['take']): SimulatedSocket {
    const socket = { connectionId, isOpen: true, take };
    this.#open.set(connectionId, socket);
    return socket;
  }

  /** A connection that is busy stays so for a while. */
  #isBusy(connectionId: string, fault: Fault | undefined): boolean {
    const { nowMs, random } = this.#simulation;
    if (fault === 'busy') this.#busyUntilMs.set(connectionId, nowMs + random.between(...BUSY_MS));
    return (this.#busyUntilMs.get(connectionId) ?? 0) > nowMs;
  }

  /** The connections, as one process reaches them. Whatever goes wrong looks like a busy connection. */
  for(process: Process | undefined): Sockets {
    const reach = async (what: string, act: (socket: SimulatedSocket) => void): Promise<Posted> => {
      const [verb, connectionId = ''] = what.split(' ');
      const run = async (fault?: Fault): Promise<Posted> => {
        const socket = this.#open.get(connectionId);
        if (!socket?.isOpen) return 'gone';
        if (this.#isBusy(connectionId, fault)) return 'busy';
        act(socket);
        return 'sent';
      };
      if (!process) return run();
      try {
        return await this.#simulation.call(process, { kind: 'socket', what: `${verb} socket`, run });
      } catch (failure) {
        if (failure instanceof NoReply || failure instanceof Throttled) return 'busy';
        throw failure;
      }
    };
    return {
      url: '/api/v1/event-socket',
      post: (connectionId, text) => reach(`post ${connectionId}`, (socket) => socket.take(text)),
      end: (connectionId) =>
        reach(`end ${connectionId}`, (socket) => {
          socket.isOpen = false;
          socket.take(undefined);
        }),
    };
  }
}
