import type { endpoints } from '#functions/routes.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Random } from '#tests/simulation/random.ts';

export type OperationName = keyof typeof endpoints;
export type Params = Record<string, unknown>;

/** The knowledge of a user before an action. */
export interface Scene {
  random: Random;
  caller: Account;
  /** Their client's state: its registration and every event since. */
  state: SnapshotData;
  /** Every user who is known to have been there, bots too. */
  cast: readonly Account[];
  /** Messages that the caller knows of. */
  messageIds: number[];
  /** The caller's messages among them. */
  sentIds: number[];
  /** The things that earlier actions remembered for others, by type. */
  notes: Notes;
  /** The mails to anybody: the address, and the key in each. */
  mailedKeys: { to: string; key: string }[];
  /** The same of links for another password. */
  mailedResetKeys: string[];
  /** The same of links that confirm a new address. */
  mailedAddressKeys: { to: string; key: string }[];
  nowSeconds: number;
  /** A text that occurs once in the run; `isPrivate` says that only the caller may ever see it. */
  label(what: string, isPrivate?: 'private'): string;
  /** The same as one word. */
  word(what: string): string;
  /** Sends another request to the service first; undefined if that failed. */
  query(name: OperationName, params?: Params): Promise<SnapshotData | undefined>;
}

export type Notes = Map<string, SnapshotData[]>;

/** One thing that people do. */
export interface Action {
  operation: OperationName;
  /** Its parameters: none if absent, and undefined if there is nothing to do it with. */
  params?(scene: Scene): Params | undefined | Promise<Params | undefined>;
  /** The body holds a picture. */
  hasPicture?: true;
  /** The actor: a caller that the operation is for, unless stated otherwise. */
  by?: (caller: Account) => boolean;
  /** The thing to remember of it. */
  after?(scene: Scene, reply: SnapshotData, params: Params): void;
  /** The event of which one copy contains it, if a label of the parameters is in it. */
  announces?: string;
  /** How often it is done in a run; once where absent. */
  times?: number;
}

/** Parameters from a thing that the scene may lack. */
export const on =
  <Thing>(
    find: (scene: Scene) => Thing | undefined,
    toParams: (thing: Thing, scene: Scene) => Params | undefined,
  ) =>
  (scene: Scene): Params | undefined => {
    const thing = find(scene);
    return thing === undefined ? undefined : toParams(thing, scene);
  };

/** Finds an entry of the client's state, by the name of its part. */
export const entryOf =
  (part: string, suits: (entry: SnapshotData) => boolean = () => true) =>
  ({ random, state }: Scene): SnapshotData | undefined =>
    oneOf(random, Object.values<SnapshotData>(state[part]).filter(suits));

/** Finds a remembered thing of the caller's. */
export const noteOfOwn =
  (kind: string) =>
  ({ random, notes, caller }: Scene): SnapshotData | undefined =>
    oneOf(
      random,
      notes.get(kind)?.filter(({ userId }) => userId === caller.userId),
    );

export const someone = ({ random, cast }: Scene): number => random.pick(cast).userId;

export const note = (notes: Notes, kind: string, thing: SnapshotData): void => {
  notes.set(kind, [...(notes.get(kind) ?? []), thing]);
};

/** One of several things, undefined if there are none. */
export const oneOf = <Thing = SnapshotData>(
  random: Random,
  all: readonly Thing[] | undefined,
): Thing | undefined => (all && all.length > 0 ? random.pick(all) : undefined);

/** For parameters that only administrators may use, though the operation is for every user. */
export const isAdministrator = ({ role }: Account): boolean => role <= roles.administrator;
