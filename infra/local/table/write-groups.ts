import { isConnectionFailure, isThrottle } from '#shared/table/dynamo-table.ts';

type Values = Record<string, unknown>;

/** Asks the engine for an operation with parameters in JSON. @throws Error as the SDK does */
export type Ask = (operation: string, parameters: string) => Promise<Values>;

/** A write that may go together with others. */
export interface OneWrite {
  kind: 'Put' | 'Update';
  /** Names the item. */
  item: string;
  /** Its parameters in JSON, without the wish to know its units. */
  parameters: string;
  /** What it takes, as far as its parameters tell. */
  units: number;
  /** How many indexes it adds an item to. */
  indexes: number;
}

interface Waiting extends OneWrite {
  resolve: (answer: Values) => void;
  reject: (failure: unknown) => void;
}

/** While the engine waits for the disk with one, it reads another. With a third each has fewer writes. */
const MOST_UNDER_WAY = 2;
/** The most that a transaction takes, and less than its most bytes. */
const MOST_WRITES = 100;
const MOST_CHARACTERS = 1_000_000;
const WITH_UNITS = '"ReturnConsumedCapacity":"TOTAL"}';

/**
 * Writes that come while two others are under way wait for one of them and then go together, as one transaction: each of four
 * takes half of the engine's time. What becomes of each is as if it had gone alone, and when one of them is refused, each does.
 */
export class WriteGroups {
  readonly #ask: Ask;
  #waiting: Waiting[] = [];
  #underWay = 0;
  /** Their items: of two writes of one item the second waits until the first is answered. */
  readonly #items = new Set<string>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  write(write: OneWrite): Promise<Values> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, resolve, reject });
      if (this.#underWay < MOST_UNDER_WAY) void this.#goOn();
    });
  }

  async #goOn(): Promise<void> {
    this.#underWay++;
    for (let group = this.#takeGroup(); group.length > 0; group = this.#takeGroup()) {
      if (group.length > 1) await this.#makeTogether(group);
      else await this.#makeEach(group);
      for (const { item } of group) this.#items.delete(item);
    }
    this.#underWay--;
  }

  /** The first that wait, without a second write of any item. */
  #takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const others: Waiting[] = [];
    const items = new Set(this.#items);
    let characters = 0;
    for (const write of this.#waiting) {
      characters += write.parameters.length;
      const fits = group.length < MOST_WRITES && (characters <= MOST_CHARACTERS || group.length === 0);
      (fits && !items.has(write.item) ? group : others).push(write);
      items.add(write.item);
    }
    for (const { item } of group) this.#items.add(item);
    this.#waiting = others;
    return group;
  }

  async #makeTogether(group: Waiting[]): Promise<void> {
    const items = group.map(({ kind, parameters }) => `{"${kind}":${parameters}}`);
    const transaction = `{"TransactItems":[${items.join()}],${WITH_UNITS}`;
    try {
      const units = unitsOfEach(group, await this.#ask('TransactWriteItems', transaction));
      for (const [n, { resolve }] of group.entries())
        resolve({ ConsumedCapacity: { CapacityUnits: units[n] } });
    } catch (failure) {
      // What gets no answer may have happened.
      if (isConnectionFailure(failure as Error) || isThrottle(failure as Error))
        for (const { reject } of group) reject(failure);
      else await this.#makeEach(group);
    }
  }

  async #makeEach(group: Waiting[]): Promise<void> {
    await Promise.all(
      group.map(({ kind, parameters, resolve, reject }) =>
        this.#ask(`${kind}Item`, `${parameters.slice(0, -1)},${WITH_UNITS}`).then(resolve, reject),
      ),
    );
  }
}

/** What each would take alone: in a transaction an item counts twice, and what its indexes take once. */
function unitsOfEach(group: OneWrite[], { ConsumedCapacity }: Values): number[] {
  const [{ CapacityUnits: told }] = ConsumedCapacity as [{ CapacityUnits: number }];
  const known = group.reduce((sum, { units, indexes }) => sum + units * (2 + indexes), 0);
  // An update does not tell the size of its item.
  const last = group.findLastIndex(({ kind }) => kind === 'Update');
  return group.map(({ units, indexes }, n) => units * (1 + indexes) + (n === last ? (told - known) / 2 : 0));
}
