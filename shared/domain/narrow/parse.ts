import { BadNarrow, BadRequest } from '#shared/domain/errors.ts';
import { readTopic } from '#shared/domain/messages/topic.ts';
import { channelsOperands, isOperands, type Term } from './term.ts';

export type Operand = string | number | number[];

/** A term on the wire: an object, or a pair in its older form. */
export type NarrowElement =
  | { operator: string; operand: Operand; negated?: boolean | undefined }
  | [operator: string, operand: string];

/**
 * The terms of a narrow; none when nothing is filtered.
 * @throws BadNarrow for what the service cannot evaluate, BadRequest for operands of the wrong type
 */
export const parseNarrow = (given: NarrowElement[] | null | undefined): Term[] =>
  (given ?? []).map((element, index) => {
    const { operator, operand, negated } = Array.isArray(element)
      ? { operator: element[0], operand: element[1], negated: false }
      : element;
    const isDashed = operator.startsWith('-');
    const name = isDashed ? operator.slice(1) : operator;
    const condition = readCondition(name, new OperandReader(operand, index));
    return { ...condition, isNegated: isDashed || (negated ?? false) };
  });

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
      return { kind: 'message', messageId: readMessageId(operand.name()) };
    case 'near':
      operand.name();
      return { kind: 'anything' };
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

function oneOf<Word extends string>(words: readonly Word[], given: string, what: string): Word {
  const word = words.find((one) => one === given);
  if (word === undefined) throw new BadNarrow(`unknown ${what} ${given}`);
  return word;
}

function readMessageId(given: number | string): number {
  if (!/^\d+$/.test(String(given))) throw new BadNarrow('Invalid message ID');
  return Number(given);
}

/** The operand of one term, read as the type that its operator takes. */
class OperandReader {
  readonly #operand: Operand;
  readonly #index: number;

  constructor(operand: Operand, index: number) {
    this.#operand = operand;
    this.#index = index;
  }

  text(): string {
    if (typeof this.#operand !== 'string') throw this.#mismatch('a string');
    return this.#operand;
  }

  /** A channel, user or message by id or otherwise. */
  name(): number | string {
    if (Array.isArray(this.#operand)) throw this.#mismatch('a string or integer');
    return this.#operand;
  }

  users(): (number | string)[] {
    if (typeof this.#operand === 'string') return this.#operand.split(',').map((email) => email.trim());
    return [this.#operand].flat();
  }

  written(): string {
    return Array.isArray(this.#operand) ? `[${this.#operand.join(', ')}]` : String(this.#operand);
  }

  #mismatch(expected: string): BadRequest {
    return new BadRequest(`Invalid narrow[${this.#index}]: Value error, operand is not ${expected}`);
  }
}
