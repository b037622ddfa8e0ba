/** Longer texts would be cut in a message anyway. */
const MAX_TEXT_LENGTH = 20_000;
/** Longer lists are never shown whole. */
const MAX_LIST_LENGTH = 500;

/** A field that an integration needs is missing or has another type. */
export class UnexpectedPayload extends Error {}

/**
 * A part of a sender's payload. Fields are read by their path (`issue.user.login`); nothing about the payload
 * is trusted. A required field that is missing or mistyped is an UnexpectedPayload; an optional one is absent.
 */
export class Payload {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** The part at a path; absent parts are parts too. */
  at(path: string): Payload {
    if (path === '') return this;
    let value = this.value;
    for (const name of path.split('.')) value = memberOf(value, name);
    return new Payload(value);
  }

  /** A field whose name may contain dots. */
  member(name: string): Payload {
    return new Payload(memberOf(this.value, name));
  }

  /** Whether there is something at the path: null counts as nothing. */
  has(path: string): boolean {
    const { value } = this.at(path);
    return value !== undefined && value !== null;
  }

  /** A text; numbers are taken as texts. @throws UnexpectedPayload */
  text(path: string): string {
    const text = this.find(path);
    if (text === undefined) throw new UnexpectedPayload(path);
    return text;
  }

  /** A text, or undefined if it is missing, empty or of another type. */
  find(path: string): string | undefined {
    const text = toText(this.at(path).value);
    return text === '' ? undefined : text;
  }

  /** The first of several texts that is there. @throws UnexpectedPayload */
  oneOf(...paths: string[]): string {
    for (const path of paths) {
      const text = this.find(path);
      if (text !== undefined) return text;
    }
    throw new UnexpectedPayload(paths.join(' or '));
  }

  /** A number, or a text that is one. @throws UnexpectedPayload */
  number(path: string): number {
    const number = this.findNumber(path);
    if (number === undefined) throw new UnexpectedPayload(path);
    return number;
  }

  findNumber(path: string): number | undefined {
    const { value } = this.at(path);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }

  /** Whether the value is exactly `true`. */
  is(path: string): boolean {
    return this.at(path).value === true;
  }

  /** The members of a list; a missing list is empty. @throws UnexpectedPayload for another type */
  list(path: string): Payload[] {
    const { value } = this.at(path);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw new UnexpectedPayload(path);
    return value.slice(0, MAX_LIST_LENGTH).map((member) => new Payload(member));
  }

  /** How many members the list has. */
  count(path: string): number {
    const { value } = this.at(path);
    return Array.isArray(value) ? value.length : 0;
  }

  /** The texts of a list; members of other types are left out. */
  texts(path: string): string[] {
    return this.list(path).flatMap(({ value }) => toText(value) ?? []);
  }

  /** The fields of an object with their texts; fields of other types are left out. */
  entries(path: string): [string, string][] {
    const { value } = this.at(path);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.keys(value)
      .slice(0, MAX_LIST_LENGTH)
      .flatMap((name): [string, string][] => {
        const text = toText(Reflect.get(value, name));
        return text === undefined ? [] : [[name.slice(0, 200), text]];
      });
  }
}

/** An own field of an object or a member of a list. */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  return value.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\0', '');
}
