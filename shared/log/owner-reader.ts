import { groupIdsOf } from '#shared/domain/groups/group-setting.ts';
import { roleAt, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { changesRights } from '#shared/events/rewind.ts';
import { groupsThatDecide } from '#shared/events/viewer.ts';
import type { Services } from '#shared/runtime/services.ts';
import { learnUserAt } from '#shared/store/earlier-user.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import { getCurrentUser } from './current-user.ts';
import { listSince } from './since.ts';

/** The owner of a queue with the role and the groups that they had when the entries of a run of the log were written. */
export class OwnerReader {
  readonly #services: Services;
  readonly #queueId: string;
  readonly #run: LogEntry[];
  readonly #turns: LogEntry[];
  #user: User;
  /** Between two changes of rights the same groups have the same members. */
  readonly #learned = new Map<string, Promise<User>>();

  private constructor(services: Services, queueId: string, user: User, run: LogEntry[]) {
    this.#services = services;
    this.#queueId = queueId;
    this.#user = user;
    this.#run = run;
    this.#turns = run.filter(({ events }) => changesRights(events));
  }

  /** `user` is the owner as they were loaded last; a run that changes rights wants them anew. */
  static async open(services: Services, queueId: string, user: User, run: LogEntry[]): Promise<OwnerReader> {
    const reader = new OwnerReader(services, queueId, user, run);
    if (reader.#turns.length > 0) reader.#user = await getCurrentUser(services, user.userId);
    return reader;
  }

  /** The owner as they are now. */
  get current(): User {
    return this.#user;
  }

  /** @throws BadEventQueueId where so much happened since that their groups are not worked out any more */
  at({ position, events }: LogEntry): Promise<User> {
    const settings = groupsThatDecide(events);
    const later = turning(this.#turns.filter((turn) => turn.position > position));
    const asked = [...new Set(settings.flatMap(groupIdsOf))].sort((a, b) => a - b);
    const key = `${roleAt(this.#user, position)} ${later.length} ${asked}`;
    const learned =
      this.#learned.get(key) ??
      learnUserAt(this.#services.table, this.#user, settings, {
        position,
        later,
        listLater: async () => [...later, ...(await this.#listSince())],
      });
    this.#learned.set(key, learned);
    return learned;
  }

  async #listSince(): Promise<LogEvent[]> {
    const end = this.#run.at(-1)?.position ?? 0;
    const entries = await listSince(this.#services.table, this.#queueId, end);
    return turning(entries);
  }
}

/** What the entries changed of anybody's rights. */
const turning = (entries: LogEntry[]): LogEvent[] =>
  entries.flatMap(({ events }) => events).filter((event) => changesRights([event]));
