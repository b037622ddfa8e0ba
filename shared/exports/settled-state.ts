import { concernOf } from '#shared/domain/exports/concern.ts';
import type { ExportType } from '#shared/domain/exports/export.ts';
import { readHead } from '#shared/log/head.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { Throttled } from '#shared/table/table.ts';
import { type Person, readPerson } from './person.ts';
import { readShared, type SharedState } from './shared-state.ts';

export interface SettledState {
  /** All of it is as of this log position. */
  position: number;
  shared: SharedState;
  /** Users with exported private data, ascending by id. */
  people: Map<number, Person>;
}

const ATTEMPTS = 200;
const PAUSE_MS = 50;

/**
 * The organization's state as of one log position. It is too large to read at once, so parts that changed
 * during the reads are read again, until none has changed.
 * @throws Throttled when changes never stop
 */
export async function readSettledState(services: Services, type: ExportType): Promise<SettledState> {
  let { position } = await readHead(services);
  const log = new LogWatch(services, position);
  let shared = await readShared(services, type, position);
  let people = await readPeople(services, shared, type);
  const isExported = (userId: number): boolean => people.has(userId);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const changes = (await log.listNew()).filter((entry) => isConcerning(entry, isExported));
    const concern = concernOf(changes.flatMap(({ events }) => events));
    log.noteConcerning(changes);
    if (changes.length === 0 && position >= log.concerningThrough) return { position, shared, people };
    if (position < log.concerningThrough) await services.clock.sleep(PAUSE_MS * services.ids.fraction());
    position = (await readHead(services)).position;
    if (concern.isShared) shared = await readShared(services, type, position);
    for (const userId of concern.userIds) people.delete(userId);
    people = await readPeople(services, shared, type, people);
  }
  throw new Throttled('The organization did not come to rest');
}

/** The users of the export. Known ones are not read again. */
async function readPeople(
  { table }: Services,
  { users, consentingIds }: SharedState,
  type: ExportType,
  known = new Map<number, Person>(),
): Promise<Map<number, Person>> {
  const exported = users.filter(({ userId }) => type === 'full_without_consent' || consentingIds.has(userId));
  const people = await mapConcurrently(exported, async (user) => {
    const person = known.get(user.userId) ?? (await readPerson(table, user));
    return [user.userId, person] as const;
  });
  return new Map(people);
}

const isConcerning = ({ events }: LogEntry, isExported: (userId: number) => boolean): boolean => {
  const { isShared, userIds } = concernOf(events);
  return isShared || [...userIds].some(isExported);
};

/**
 * Follows the log after a position, across holes: each entry is seen once, including one that fills a hole
 * late.
 */
class LogWatch {
  readonly #services: Services;
  /** All positions up to this one have been seen. */
  #through: number;
  readonly #seen = new Set<number>();
  /** The last position that changed the state. */
  concerningThrough = 0;

  constructor(services: Services, after: number) {
    this.#services = services;
    this.#through = after;
  }

  noteConcerning(entries: LogEntry[]): void {
    for (const { position } of entries) this.concerningThrough = Math.max(this.concerningThrough, position);
  }

  async listNew(): Promise<LogEntry[]> {
    const { table } = this.#services;
    const entries = await listEntries(table, this.#through + 1, await readCounter(table));
    const unseen = entries.filter(({ position }) => !this.#seen.has(position));
    for (const { position } of unseen) this.#seen.add(position);
    while (this.#seen.delete(this.#through + 1)) this.#through++;
    return unseen;
  }
}
