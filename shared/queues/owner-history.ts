import { groupIdsOf } from '#shared/domain/user-groups/group-setting.ts';
import { roleAt, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { changesRights } from '#shared/events/rewind.ts';
import { groupsThatDecide } from '#shared/events/viewer.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import { learnUserAt } from '#shared/store/users/earlier-user.ts';
import { listSince } from './since.ts';

/** The owner of a queue with role and groups as of each entry of a run. */
export class OwnerHistory {
  /** The owner's present state. */
  readonly current: User;
  readonly #services: Services;
  readonly #queueId: string;
  readonly #run: LogEntry[];
  readonly #rightsChanges: LogEntry[];
  /** Between two changes of rights the memberships are equal. */
  readonly #loaded = new Map<string, Promise<User>>();

  private constructor(services: Services, queueId: string, current: User, run: LogEntry[]) {
    this.#services = services;
    this.#queueId = queueId;
    this.current = current;
    this.#run = run;
    this.#rightsChanges = run.filter(({ events }) => changesRights(events));
  }

  /** `user` is the last loaded owner; a run that changes rights loads a fresh one. */
  static async open(services: Services, queueId: string, user: User, run: LogEntry[]): Promise<OwnerHistory> {
    const isStale = run.some(({ events }) => changesRights(events));
    const current = isStale ? await getCurrentUser(services, user.userId) : user;
    return new OwnerHistory(services, queueId, current, run);
  }

  /** @throws BadEventQueueId when too much has changed since to reconstruct the memberships */
  at({ position, events }: LogEntry): Promise<User> {
    const settings = groupsThatDecide(events);
    const later = rightsChangesIn(this.#rightsChanges.filter((change) => change.position > position));
    const asked = [...new Set(settings.flatMap(groupIdsOf))];
    const key = `${roleAt(this.current, position)} ${later.length} ${asked}`;
    const loaded =
      this.#loaded.get(key) ??
      learnUserAt(this.#services.table, this.current, settings, {
        position,
        later,
        listLater: async () => [...later, ...(await this.#listSince())],
      });
    this.#loaded.set(key, loaded);
    return loaded;
  }

  async #listSince(): Promise<LogEvent[]> {
    const end = this.#run.at(-1)?.position ?? 0;
    const entries = await listSince(this.#services.table, this.#queueId, end);
    return rightsChangesIn(entries);
  }
}

/** The entries' changes of any user's rights. */
const rightsChangesIn = (entries: LogEntry[]): LogEvent[] =>
  entries.flatMap(({ events }) => events).filter((event) => changesRights([event]));
