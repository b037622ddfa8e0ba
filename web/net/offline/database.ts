import type { KeptRun } from '#web/state/kept.ts';

/** The longest wait for pages that close a database after their last transaction. */
const REMOVAL_MS = 3_000;

/** A database of the browser for one account. All its methods fail if the browser keeps nothing. */
export class KeptDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Another page removes it, since the account signs out there.
    database.onversionchange = () => database.close();
  }

  static async open(name: string): Promise<KeptDatabase> {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('parts');
      opening.result.createObjectStore('runs', { keyPath: 'key' }).createIndex('keptAtMs', 'keptAtMs');
    };
    return new KeptDatabase(await resultOf(opening));
  }

  /** Returns when the database is gone, or after some seconds if another page does not close it. */
  static async remove(name: string): Promise<void> {
    await Promise.race([
      resultOf(indexedDB.deleteDatabase(name)),
      new Promise((resolve) => setTimeout(resolve, REMOVAL_MS)),
    ]);
  }

  async readAll(): Promise<{ parts: Map<string, unknown>; runs: KeptRun[] }> {
    const transaction = this.#database.transaction(['parts', 'runs']);
    const parts = transaction.objectStore('parts');
    const [names, values, runs] = await Promise.all([
      resultOf(parts.getAllKeys()),
      resultOf(parts.getAll()),
      resultOf<KeptRun[]>(transaction.objectStore('runs').getAll()),
    ]);
    return { parts: new Map(names.map((name, index) => [String(name), values[index]])), runs };
  }

  async putPart(name: string, part: unknown): Promise<void> {
    await resultOf(this.#database.transaction('parts', 'readwrite').objectStore('parts').put(part, name));
  }

  async removePart(name: string): Promise<void> {
    await resultOf(this.#database.transaction('parts', 'readwrite').objectStore('parts').delete(name));
  }

  readRuns(): Promise<KeptRun[]> {
    return resultOf(this.#database.transaction('runs').objectStore('runs').getAll());
  }

  async removeRunsBefore(ms: number): Promise<void> {
    for (const { key, keptAtMs } of await this.readRuns()) if (keptAtMs < ms) await this.removeRun(key);
  }

  /** Stores a run; beyond `most`, the runs stored longest ago are removed. */
  async putRun(run: KeptRun, most: number): Promise<void> {
    const runs = this.#database.transaction('runs', 'readwrite').objectStore('runs');
    await resultOf(runs.put(run));
    const surplus = (await resultOf(runs.count())) - most;
    if (surplus <= 0) return;
    for (const { key } of await resultOf<KeptRun[]>(runs.index('keptAtMs').getAll(null, surplus)))
      await resultOf(runs.delete(key));
  }

  async removeRun(key: string): Promise<void> {
    await resultOf(this.#database.transaction('runs', 'readwrite').objectStore('runs').delete(key));
  }

  close(): void {
    this.#database.close();
  }
}

const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
