import { BadNarrow, BadRequest } from '#shared/domain/errors.ts';
import { readTopic } from '#shared/domain/messages/topic.ts';
import { parseSearch, type SearchQuery } from '#shared/domain/search/query.ts';
import { channelsOperands, type HasOperand, hasOperands, isOperands, type Term } from './term.ts';

export type Operand = string | number | number[];

/** A term on the wire: an object, or the older form of a pair. */
export type NarrowElement =
  | { operator: string; operand: Operand; negated?: boolean | undefined }
  | [operator: string, operand: string];

/** Longer than all names, topics and addresses, and than a typed search. */
const MAX_OPERAND_LENGTH = 1_000;
const MAX_PEOPLE = 500;
/** The total of words and phrases in all searches of a narrow. */
const MAX_SEARCHED = 100;

/**
 * The terms of a narrow; empty when nothing is filtered.
 * @throws BadNarrow for meaningless terms, BadRequest for operands of the wrong type or size
 */
export function parseNarrow(input: NarrowElement[] | null | undefined): Term[] {
  const terms = (input ?? []).map(parseTerm);
  if (terms.filter(({ kind }) => kind === 'with').length > 1)
    throw new BadNarrow("Duplicate 'with' operators.", 'operator combination');
  const searched = terms.flatMap((term) => (term.kind === 'search' ? sizeOf(term.query) : []));
  if (searched.reduce((sum, size) => sum + size, 0) > MAX_SEARCHED)
    throw new BadRequest(`narrow has too many search words (limit: ${MAX_SEARCHED})`);
  return terms;
}

function parseTerm(element: NarrowElement, index: number): Term {
  const { operator, operand, negated } = Array.isArray(element)
    ? { operator: element[0], operand: element[1], negated: false }
    : element;
  if (operator.trim() === '') throw new BadRequest(`narrow[${index}]["operator"] cannot be blank`);
  const isDashed = operator.startsWith('-');
  const name = isDashed ? operator.slice(1) : operator;
  const condition = readCondition(name, new OperandReader(operand, index));
  const isNegated = isDashed || (negated ?? false);
  if (condition.kind === 'with' && isNegated) throw invalidWith();
  return { ...condition, isNegated };
}

const sizeOf = ({ stems, phrases }: SearchQuery): number => stems.length + phrases.length;

function readCondition(operator: string, operand: OperandReader): WithoutNegation<Term> {
  switch (operator.toLowerCase()) {
    case 'channel':
    case 'stream':
      return { kind: 'channel', channel: operand.name() };
    case 'channels':
    case 'streams':
      return { kind: 'channels', operand: oneOf(channelsOperands, operand.text(), 'channels operand') };
    case 'topic':
    case 'subject':
      return { kind: 'topic', topic: readTopic(operand.text()) };
    case 'sender':
    case 'from':
      return { kind: 'sender', user: operand.name() };
    case 'dm':
    case 'pm-with':
    case 'pm_with':
      return { kind: 'direct', users: operand.users(), written: operand.written() };
    case 'dm-including':
      return { kind: 'directIncluding', user: operand.name(), isGroup: false };
    case 'group-pm-with':
      return { kind: 'directIncluding', user: operand.name(), isGroup: true };
    case 'id':
      return { kind: 'message', messageId: readMessageId(operand) };
    case 'near':
      readMessageId(operand);
      return { kind: 'anything' };
    case 'with':
      return { kind: 'with', messageId: readMessageId(operand, invalidWith()) };
    case 'mentions':
      return { kind: 'mentions', user: operand.name() };
    case 'search':
      return { kind: 'search', query: readQuery(operand) };
    case 'has':
      return { kind: 'has', operand: readHas(operand.text()) };
    case 'is': {
      const word = operand.text();
      return { kind: 'is', operand: oneOf(isOperands, word === 'private' ? 'dm' : word, "'is' operand") };
    }
    case 'in':
      return oneOf(['home', 'all'], operand.text(), "'in' operand") === 'home'
        ? { kind: 'home' }
        : { kind: 'anything' };
    default:
      throw new BadNarrow(`unknown operator ${operator}`);
  }
}

type WithoutNegation<T> = T extends unknown ? Omit<T, 'isNegated'> : never;

function oneOf<Word extends string>(words: readonly Word[], input: string, what: string): Word {
  const word = words.find((candidate) => candidate === input);
  if (word === undefined) throw new BadNarrow(`unknown ${what} ${input}`);
  return word;
}

/** Singular and plural are equivalent. */
function readHas(input: string): HasOperand {
  const word = hasOperands.find((hasOperand) => input === hasOperand || input === `${hasOperand}s`);
  return word ?? oneOf(hasOperands, input, "'has' operand");
}

function readQuery(operand: OperandReader): SearchQuery {
  const query = parseSearch(operand.text());
  if (sizeOf(query) === 0) throw operand.blank();
  return query;
}

function readMessageId(operand: OperandReader, refusal = new BadNarrow('Invalid message ID')): number {
  const input = operand.name();
  if (!/^\d+$/.test(String(input))) throw refusal;
  return Number(input);
}

export const invalidWith = (): BadNarrow => new BadNarrow("Invalid 'with' operator");

/** Reads the operand of a term as the type that its operator expects. */
class OperandReader {
  readonly #operand: Operand;
  readonly #index: number;

  constructor(operand: Operand, index: number) {
    this.#operand = operand;
    this.#index = index;
  }

  text(): string {
    if (typeof this.#operand !== 'string') throw this.#invalid('operand is not a string');
    return this.#limited(this.#operand);
  }

  /** A channel, user or message by id or by name. */
  name(): number | string {
    if (Array.isArray(this.#operand)) throw this.#invalid('operand is not a string or integer');
    return typeof this.#operand === 'string' ? this.#limited(this.#operand) : this.#operand;
  }

  users(): (number | string)[] {
    const users =
      typeof this.#operand === 'string'
        ? this.#operand.split(',').map((email) => email.trim())
        : [this.#operand].flat();
    if (users.length > MAX_PEOPLE) throw this.#invalid(`operand has too many users (limit: ${MAX_PEOPLE})`);
    return users;
  }

  written(): string {
    return Array.isArray(this.#operand) ? `[${this.#operand.join(', ')}]` : String(this.#operand);
  }

  blank(): BadRequest {
    return this.#invalid('operand cannot be blank');
  }

  #limited(text: string): string {
    if ([...text].length <= MAX_OPERAND_LENGTH) return text;
    const name = `narrow[${this.#index}]["operand"]`;
    throw new BadRequest(`${name} is too long (limit: ${MAX_OPERAND_LENGTH} characters)`);
  }

  #invalid(what: string): BadRequest {
    return new BadRequest(`Invalid narrow[${this.#index}]: Value error, ${what}`);
  }
}
