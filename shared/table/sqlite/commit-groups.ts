import type { DatabaseSync } from 'node:sqlite';
import { StorageFull, Unreachable } from '../table.ts';
import { isFull, isOfSqlite } from './database.ts';

/** Writes that are committed together. */
interface Group {
  /** The partitions, of the table and of its indexes, that the writes changed. */
  partitions: Set<string>;
  /** Whether the disk must keep it. */
  needsSync: boolean;
  /** Resolves when the writes are durable; rejects when none of them happened. */
  durable: Promise<void>;
  resolve(): void;
  reject(failure: Error): void;
}

/** What happens beside the groups. */
export interface Disk {
  /** Called when this connection has the lock for writing. */
  onBegin(): void;
  /** Makes earlier commits durable. */
  sync(): Promise<void>;
  /** Called when writes that were seen were undone. */
  onUndone(): void;
  /** Called once when a sync has failed: which of the latest writes the disk has is unknown then. */
  onLost(failure: Error): void;
}

/**
 * Commits the writes of one turn of the event loop together, and of several turns while an earlier commit is being
 * synced. A write is acknowledged when it is durable. SQLite appends to its log without a sync, and the sync runs outside
 * of the event loop: a slow disk delays answers and nothing else.
 */
export class CommitGroups {
  readonly #database: DatabaseSync;
  readonly #disk: Disk;
  /** The newest group that changed each partition, until it is durable. */
  readonly #newest = new Map<string, Group>();
  #open: Group | undefined;
  #isTurnOver = false;
  #syncing: Promise<void> | undefined;
  #lost: Error | undefined;

  constructor(database: DatabaseSync, disk: Disk) {
    this.#database = database;
    this.#disk = disk;
  }

  /**
   * Runs a change within the open group; resolves when it is durable, or at once if it may be lost.
   * @param change reports each partition that it changes; if it throws, it must not have written anything
   * @throws StorageFull, Unreachable: then nothing was written
   */
  write(change: (touch: (partition: string) => void) => void, { mayBeLost = false } = {}): Promise<void> {
    if (this.#lost) throw this.#lost;
    const group = this.#open ?? this.#begin();
    try {
      change((partition) => {
        if (mayBeLost) return;
        group.partitions.add(partition);
        this.#newest.set(partition, group);
      });
    } catch (failure) {
      if (!isOfSqlite(failure)) throw failure;
      // SQLite may have undone earlier writes of the group as well.
      throw this.#fail(group, failure);
    }
    if (mayBeLost) return Promise.resolve();
    group.needsSync = true;
    return group.durable;
  }

  /** @throws Unreachable */
  read<Found>(read: () => Found): Found {
    try {
      return read();
    } catch (failure) {
      throw isOfSqlite(failure) ? new Unreachable(failure) : failure;
    }
  }

  /** Resolves when all writes to the partitions are durable; undefined if they are. */
  pending(partitions: string[]): Promise<unknown> | undefined {
    if (this.#lost) throw this.#lost;
    if (this.#newest.size === 0) return undefined;
    const groups = new Set(partitions.flatMap((partition) => this.#newest.get(partition) ?? []));
    return groups.size === 0 ? undefined : Promise.all([...groups].map(({ durable }) => durable));
  }

  /** Resolves when everything that was written is durable, or has failed. */
  async settle(): Promise<void> {
    while (!this.#lost && (this.#open || this.#syncing))
      await Promise.allSettled([this.#open?.durable, this.#syncing]);
  }

  #begin(): Group {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
    } catch (failure) {
      throw explained(failure);
    }
    this.#disk.onBegin();
    const { promise: durable, resolve, reject } = Promise.withResolvers<void>();
    // Each caller handles the failure of its own write; the group itself may have none.
    durable.catch(() => undefined);
    const group = { partitions: new Set<string>(), needsSync: false, durable, resolve, reject };
    this.#open = group;
    this.#isTurnOver = false;
    setImmediate(() => {
      this.#isTurnOver = true;
      this.#commit();
    });
    return group;
  }

  #commit(): void {
    const group = this.#open;
    if (!group || !this.#isTurnOver || this.#syncing) return;
    try {
      this.#database.exec('COMMIT');
    } catch (failure) {
      this.#fail(group, failure);
      return;
    }
    this.#open = undefined;
    if (group.needsSync) this.#syncing = this.#makeDurable(group);
    else group.resolve();
  }

  async #makeDurable(group: Group): Promise<void> {
    try {
      await this.#disk.sync();
    } catch (failure) {
      this.#lost = new Unreachable(failure as Error);
      for (const lost of [group, this.#open]) lost?.reject(this.#lost);
      this.#disk.onLost(failure as Error);
      return;
    }
    this.#forget(group);
    group.resolve();
    this.#syncing = undefined;
    this.#commit();
  }

  /** Undoes the open group. */
  #fail(group: Group, failure: unknown): Error {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#disk.onUndone();
    const reason = explained(failure);
    this.#open = undefined;
    this.#forget(group);
    group.reject(reason);
    return reason;
  }

  #forget(group: Group): void {
    for (const partition of group.partitions)
      if (this.#newest.get(partition) === group) this.#newest.delete(partition);
  }
}

const explained = (failure: unknown): Error =>
  isFull(failure) ? new StorageFull() : new Unreachable(failure as Error);
