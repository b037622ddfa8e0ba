import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { UploadedFile } from '#shared/api/files/uploads.ts';
import { readParameters } from '#shared/api/parameters.ts';
import { UserDeactivated } from '#shared/domain/errors.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Notes, OperationName, Params, Scene } from '#tests/simulation/actions/action.ts';
import { type ActionWorld, admit } from '#tests/simulation/actions/action-world.ts';
import { actions } from '#tests/simulation/actions/catalogue.ts';
import { wantsAll } from '#tests/simulation/actions/judge-actions.ts';
import { contextOf } from '#tests/simulation/world.ts';
import type { Journal, Listener, Verdict, Wishes } from './journal.ts';
import type { People } from './people.ts';
import { textsOf, toRegister } from './requests.ts';
import { everything } from './wishes.ts';

/** An action of a user, and its result as far as they know. */
export interface DoneAction {
  operation: OperationName;
  userId: number;
  params: Params;
  verdict: Verdict;
  /** Texts that occur in this action and nowhere else. */
  labels: string[];
  announces: string | undefined;
  why?: string;
}

/** Events that only one person may ever see. */
export type Secrets = Map<string, number>;

const PATIENCE = 15;
/** Requests that only look whether something can be done. */
const MAX_ASKED = 24;
const MAX_FAILURES = 3;
const SHARE_OF_PRESUMPTION = 0.08;
const PAUSE_MS = 250;
/** A picture of this number; no other has the same bytes. */
const pictureOf = (number: number): UploadedFile => ({
  field: 'file',
  name: 'picture.png',
  mediaType: 'image/png',
  bytes: new Uint8Array([137, 80, 78, 71, number >> 8, number & 255]),
});

/** People who do everything possible, each with the state of their own client. */
export class Doers {
  readonly #world: ActionWorld;
  readonly #journal: Journal;
  readonly #people: People;
  /** A user who is there, or came. */
  readonly cast: Account[];
  readonly done: DoneAction[] = [];
  readonly secrets: Secrets = new Map();
  readonly #deck: Action[];
  readonly #failures = new Map<Action, number>();
  #asked = 0;
  readonly #notes: Notes = new Map();
  readonly #states = new Map<Listener, { count: number; state: SnapshotData }>();
  readonly #isOver: () => boolean;
  readonly listening = new Set<Promise<void>>();

  constructor(world: ActionWorld, journal: Journal, people: People, isOver: () => boolean) {
    this.#world = world;
    this.#journal = journal;
    this.#people = people;
    this.#isOver = isOver;
    this.cast = world.people;
    this.#deck = shuffled(
      actions.flatMap((action) => Array.from({ length: action.times ?? 1 }, () => action)),
      (most) => world.random.between(0, most),
    );
  }

  /** An action that no process executed. */
  get undone(): string[] {
    return this.#deck.map(({ operation }) => operation);
  }

  /** One thing after the other, until there is nothing left that they could do. */
  async act(person: Account): Promise<void> {
    for (let idle = 0; idle < PATIENCE && this.#deck.length > 0; ) {
      await this.#world.wait(this.#world.random.between(0, PAUSE_MS));
      const listener = await this.listener(person);
      const hasActed = listener !== undefined && (await this.#actOnce(person, listener));
      idle = hasActed ? 0 : idle + 1;
    }
  }

  /** A queue of everything, the newest one that lives; undefined while the person is deactivated. */
  async listener(person: Account): Promise<Listener | undefined> {
    const alive = this.#journal.listeners.findLast(
      (one) =>
        one.account.userId === person.userId && one.wishes === everything && !one.hasLeft && !one.wasEnded,
    );
    return alive ?? this.listen(person, everything);
  }

  /** Registers, and polls from then on; undefined if the person may not, or no longer may. */
  async listen(person: Account, wishes: Wishes): Promise<Listener | undefined> {
    for (;;) {
      const outcome = await this.#world.query(person, 'registerQueue', toRegister(wishes));
      if (outcome.kind === 'failed' && outcome.failure instanceof UserDeactivated) return undefined;
      if (this.#journal.verdict('Registering', outcome) === 'refused') {
        // A user who has become a guest meanwhile may not request all public channels.
        if (!wishes.allPublicChannels)
          this.#journal.complaints.push(
            `Registering was refused: ${outcome.kind === 'failed' && outcome.failure}`,
          );
        return undefined;
      }
      if (outcome.kind !== 'done') continue;
      const listener = this.#people.listenTo(person, wishes, outcome.value);
      const listening = this.#people.listen(listener, this.#isOver);
      this.listening.add(listening);
      return listener;
    }
  }

  /** Does it again until it is done. */
  async insist(person: Account, name: OperationName, params: Params): Promise<void> {
    for (;;) {
      const outcome = await this.#world.query(person, name, params);
      if (this.#journal.verdict(name, outcome) !== 'unknown') return;
    }
  }

  /** The current reply of register, for each queue of everything whose owner is still there; nothing is under way. */
  async freshSnapshots(): Promise<Map<Listener, SnapshotData>> {
    const fresh = new Map<Listener, SnapshotData>();
    const services = this.#world.services();
    const { registerQueue } = endpoints;
    const alive = this.#journal.listeners.filter(
      (one) => !one.hasLeft && !one.wasEnded && wantsAll(one.wishes),
    );
    for (const listener of alive) {
      const same = [...fresh.keys()].find(
        ({ account, wishes }) => account === listener.account && wishes === listener.wishes,
      );
      const known = same && fresh.get(same);
      if (known) fresh.set(listener, known);
      if (known) continue;
      const account = await admit(services, listener.account, registerQueue);
      const params = readParameters(registerQueue.params, textsOf(toRegister(listener.wishes)));
      fresh.set(listener, await registerQueue.handle(params, { ...contextOf(services, account) }));
    }
    return fresh;
  }

  async #actOnce(person: Account, listener: Listener): Promise<boolean> {
    const { random } = this.#world;
    const isPresumptuous = random.chance(SHARE_OF_PRESUMPTION);
    const state = this.#stateOf(listener);
    const suits = (action: Action): boolean =>
      isPresumptuous || (isFor(action, state) && (action.by?.({ ...person, role: roleOf(state) }) ?? true));
    for (const action of this.#deck.filter(suits)) {
      const index = this.#deck.indexOf(action);
      if (index < 0) continue;
      this.#deck.splice(index, 1);
      const labels: string[] = [];
      const scene = this.#sceneFor(person, listener, state, labels);
      const params = action.params ? await action.params(scene) : {};
      if (params) {
        return this.#perform(action, scene, params, labels);
      }
      this.#deck.push(action);
    }
    return false;
  }

  async #perform(action: Action, scene: Scene, params: Params, labels: string[]): Promise<boolean> {
    const { operation, announces } = action;
    const { userId } = scene.caller;
    const one: DoneAction = { operation, userId, params, verdict: 'unknown', labels, announces };
    this.done.push(one);
    const outcome = await this.#world.query(
      scene.caller,
      operation,
      params,
      action.hasPicture ? [pictureOf(this.done.length)] : [],
    );
    const isAway = outcome.kind === 'failed' && outcome.failure instanceof UserDeactivated;
    // Another user may do it, or the same when they are back.
    if (isAway) this.#deck.push(action);
    else if (outcome.kind !== 'done') this.#tryAgain(action);
    one.verdict = this.#journal.verdict(`${operation} ${JSON.stringify(params)}`, outcome);
    if (outcome.kind === 'failed' && outcome.failure instanceof Error) one.why = outcome.failure.message;
    if (outcome.kind === 'done') action.after?.(scene, outcome.value, params);
    if (outcome.kind === 'done' && action.announces === 'realm_user/add')
      await this.#welcome(outcome.value, params);
    return !isAway;
  }

  /** A failed action is left to another user, a few times. */
  #tryAgain(action: Action): void {
    const count = (this.#failures.get(action) ?? 0) + 1;
    this.#failures.set(action, count);
    if (count <= MAX_FAILURES) this.#deck.push(action);
  }

  /** A user who is new is one of the people, and begins to listen. */
  async #welcome({ user_id: userId }: SnapshotData, params: Params): Promise<void> {
    const owner = this.cast[0] as Account;
    const newcomer = { ...owner, userId, fullName: String(params.full_name), role: roles.member };
    this.cast.push(newcomer);
    if (!('short_name' in params)) await this.listener(newcomer);
  }

  #sceneFor(caller: Account, { events }: Listener, state: SnapshotData, labels: string[]): Scene {
    const { random, mailedKeys, mailedResetKeys, mailedAddressKeys, simulation } = this.#world;
    const messages: SnapshotData[] = events
      .filter(({ type }) => type === 'message')
      .map(({ message }) => message);
    const keep = (text: string): string => {
      labels.push(text);
      return text;
    };
    return {
      random,
      caller,
      state,
      cast: this.cast,
      messageIds: messages.map(({ id }) => id),
      sentIds: messages.filter(({ sender_id: id }) => id === caller.userId).map(({ id }) => id),
      notes: this.#notes,
      mailedKeys,
      mailedResetKeys,
      mailedAddressKeys,
      nowSeconds: Math.floor(simulation.nowMs / 1000),
      label: (what, isPrivate) => {
        const text = keep(this.#journal.label(what));
        if (isPrivate) this.secrets.set(text, caller.userId);
        return text;
      },
      word: (what) =>
        keep(
          this.#journal
            .label(what)
            .replaceAll(/ no\. |\./g, 'n')
            .toLowerCase(),
        ),
      query: async (name, params = {}) => {
        if (++this.#asked > MAX_ASKED) return undefined;
        const outcome = await this.#world.query(caller, name, params);
        this.#journal.verdict('Asking', outcome);
        return outcome.kind === 'done' ? outcome.value : undefined;
      },
    };
  }

  #stateOf(listener: Listener): SnapshotData {
    const { events, snapshot } = listener;
    const known = this.#states.get(listener);
    if (known?.count === events.length) return known.state;
    const news = events.slice(known?.count ?? 0).filter(({ type }) => type !== 'heartbeat');
    const state = applyEvents(known?.state ?? snapshot, news);
    this.#states.set(listener, { count: events.length, state });
    return state;
  }
}

function shuffled<One>(all: One[], draw: (most: number) => number): One[] {
  const rest = [...all];
  return all.flatMap(() => rest.splice(draw(rest.length - 1), 1));
}

const roleOf = ({ realm_users: users, user_id: id }: SnapshotData): Account['role'] =>
  users.find((one: SnapshotData) => one.user_id === id)?.role ?? roles.member;

function isFor({ operation }: Action, state: SnapshotData): boolean {
  const { allow } = endpoints[operation] as AnyEndpoint;
  const role = roleOf(state);
  if (allow === 'owner') return role === roles.owner;
  if (allow === 'administrator') return role <= roles.administrator;
  if (allow === 'member' || allow === 'humanMember') return role <= roles.member;
  return true;
}
