import { pushEvents, pushToPart } from '#shared/queues/socket/push.ts';
import type { PartWork, Services, Sockets } from '#shared/runtime/services.ts';
import type { Outcome, Process } from '#tests/simulation/process.ts';
import type { World } from '#tests/simulation/world.ts';

/** Sometimes there is one more process than there need be. */
const SHARE_OF_NEW = 0.1;
/** In so many runs nothing goes wrong in them, so that they remember connections for long. */
const SHARE_STEADY = 0.3;

/** The processes that push events to sockets. Each does one thing after the other, and remembers connections meanwhile. */
export class Pushers {
  readonly #world: World;
  readonly #areSteady: boolean;
  #pushers: { process: Process; services: Services }[] = [];

  constructor(world: World, areSteady = world.simulation.random.fork('pushing').chance(SHARE_STEADY)) {
    this.#world = world;
    this.#areSteady = areSteady;
  }

  push(position: number, isForAll = false): Promise<Outcome<unknown>> {
    return this.#run((services) => pushEvents(services, position, isForAll));
  }

  pushToPart(work: PartWork): Promise<Outcome<unknown>> {
    return this.#run((services) => pushToPart(services, work));
  }

  /** In one process to all parts, until everything is pushed. */
  pushHere(position: number): Promise<Outcome<unknown>> {
    return this.#run(({ sockets, ...services }) => {
      const { pushElsewhere: _, ...here } = sockets as Sockets;
      return pushEvents({ ...services, sockets: here }, position, true);
    });
  }

  #run(push: (services: Services) => Promise<boolean>): Promise<Outcome<unknown>> {
    const { process, services } = this.#findIdle() ?? this.#open();
    return this.#world.simulation.runIn(process, () => push(services));
  }

  #findIdle() {
    const { random } = this.#world;
    this.#pushers = this.#pushers.filter(({ process }) => !process.hasCrashed);
    const idle = this.#pushers.filter(({ process }) => process.requests === 0);
    return idle.length === 0 || random.chance(SHARE_OF_NEW) ? undefined : random.pick(idle);
  }

  #open() {
    const process = this.#world.simulation.open('push events', this.#areSteady);
    const pusher = { process, services: this.#world.services(process) };
    this.#pushers.push(pusher);
    return pusher;
  }
}
