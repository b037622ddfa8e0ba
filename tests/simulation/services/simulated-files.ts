import type { FileStore } from '#shared/runtime/services.ts';
import type { Process } from '#tests/simulation/process.ts';
import type { Simulation } from '#tests/simulation/simulation.ts';
import type { CallKind } from '#tests/simulation/tables/faults.ts';

/** The contents of a name, the newest last; undefined when it was removed. */
type Versions = (Uint8Array | undefined)[];

/** The bucket. Each call of a process takes its turn there, and may go wrong. */
export class SimulatedFiles {
  readonly #simulation: Simulation;
  readonly #versions = new Map<string, Versions>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** The bucket as one process reaches it; without one, as it is. */
  for(process: Process | undefined): FileStore {
    const change = (kind: CallKind, name: string, bytes: Uint8Array | undefined): Promise<void> => {
      // Clean-ups remove hundreds of names that may never have been written.
      if (!bytes && !this.find(name)) return Promise.resolve();
      const run = async () => this.#change(name, bytes);
      return process ? this.#simulation.call(process, { kind, what: `${kind} ${name}`, run }) : run();
    };
    const put = (name: string, bytes: Uint8Array) => change('file-put', name, Uint8Array.from(bytes));
    return {
      put,
      putPieces: async (name, pieces) => {
        const all: Uint8Array[] = [];
        for await (const piece of pieces) all.push(piece);
        await put(name, Buffer.concat(all));
      },
      find: (name) =>
        process
          ? this.#simulation.call(process, {
              kind: 'file-read',
              what: `get ${name}`,
              run: async (fault) => (fault === 'old-copy' ? this.#older(name) : this.find(name)),
            })
          : Promise.resolve(this.find(name)),
      remove: (name) => change('file-removal', name, undefined),
      clear: async (folder) => {
        const names = [...this.#versions.keys()].filter((name) => name.startsWith(`${folder}/`));
        for (const name of names) await change('file-removal', name, undefined);
        return false;
      },
      downloadUrl: async (name) => `https://files.example.com/${name}`,
    };
  }

  /** The current contents of a name. */
  find(name: string): Uint8Array | undefined {
    return this.#versions.get(name)?.at(-1);
  }

  /** Every name under which anything ever stood, with each of its contents. */
  get contents(): [name: string, contents: Uint8Array[]][] {
    return [...this.#versions].map(([name, versions]) => [
      name,
      versions.filter((bytes) => bytes !== undefined),
    ]);
  }

  #change(name: string, bytes: Uint8Array | undefined): void {
    const versions = this.#versions.get(name) ?? [];
    this.#versions.set(name, versions);
    versions.push(bytes);
  }

  /** From a cache that has not heard of the newest change. */
  #older(name: string): Uint8Array | undefined {
    const versions = this.#versions.get(name) ?? [];
    return versions.slice(0, -1).findLast((bytes) => bytes !== undefined) ?? this.find(name);
  }
}
