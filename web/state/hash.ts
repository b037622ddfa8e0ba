import { canonical, type Narrow, PEOPLE, type Term } from './narrow.ts';

/** Where in the client the address points: the part after `#`. */
export type Route = { view: 'narrow'; narrow: Narrow; near?: number } | { view: Page; rest: string[] };

const PAGES = [
  'home',
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
  'channels',
  'groups',
  'settings',
  'organization',
  'user',
  'invite',
  'keyboard-shortcuts',
] as const;
export type Page = (typeof PAGES)[number];

const OLD_PAGES: Record<string, Page> = {
  recent_topics: 'recent',
  all_messages: 'feed',
  streams: 'channels',
};

/** Writes one component as clients of this protocol do: percent-encoded, with dots for percent signs. */
export const encodeComponent = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');

/**
 * Reads a component. A browser or another program may have percent-encoded the address; a percent sign that
 * encodes nothing is itself.
 * @throws URIError if the encoding is invalid
 */
export function decodeComponent(text: string): string {
  const percented = text.replaceAll('.', '%');
  try {
    return decodeURIComponent(percented);
  } catch {
    return decodeURIComponent(text.replaceAll('%', '%25').replaceAll('.', '%'));
  }
}

/** What names an operand by an id and, for the eyes, by a name. */
export interface Names {
  channel: (channelId: number) => string | undefined;
  person: (userId: number) => string | undefined;
}

const slug = (name: string): string => encodeComponent(name.trim().replaceAll(' ', '-'));

/** The address of a search, with the `#`. `near` is a message to open it at. */
export function hashOfNarrow(narrow: Narrow, names: Names, near?: number): string {
  const parts = narrow
    .filter(({ operator }) => near === undefined || operator !== 'with')
    .flatMap(({ operator, operand, negated }) => [
      `${negated ? '-' : ''}${operator}`,
      writeOperand(operator, operand, names),
    ]);
  const place = near === undefined ? [] : ['near', String(near)];
  return `#${['narrow', ...parts, ...place].join('/')}`;
}

function writeOperand(operator: string, operand: string, names: Names): string {
  if (operator === 'channel') {
    const name = names.channel(Number(operand));
    return name ? `${operand}-${slug(name)}` : encodeComponent(operand);
  }
  if (PEOPLE.includes(operator)) {
    if (!/^\d[\d,]*$/.test(operand)) return encodeComponent(operand);
    if (operand.includes(',')) return `${operand}-group`;
    const name = names.person(Number(operand));
    return name ? `${operand}-${slug(name)}` : operand;
  }
  return encodeComponent(operand);
}

/** Reads the part of an address from `#` on. What cannot be read is the home view. */
export function readHash(hash: string): Route {
  const text = hash.replace(/^#/, '');
  const [first = '', ...rest] = text.split('/');
  if (first === 'narrow') {
    try {
      return readNarrow(rest);
    } catch {
      return { view: 'home', rest: [] };
    }
  }
  const page = OLD_PAGES[first] ?? PAGES.find((name) => name === first);
  return page ? { view: page, rest: rest.filter(Boolean) } : { view: 'home', rest: [] };
}

function readNarrow(parts: string[]): Route {
  // Behind an operator, nothing is the empty topic.
  const segments = parts.length % 2 === 1 && parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  if (segments.length === 0 || segments.length % 2 === 1) return { view: 'home', rest: [] };
  const terms: Term[] = [];
  let near: number | undefined;
  for (let index = 0; index < segments.length; index += 2) {
    const term = readTerm(segments[index] ?? '', segments[index + 1] ?? '');
    if (term.operand === '' && term.operator !== 'topic') return { view: 'home', rest: [] };
    if (namesMessage(term)) near = Number(term.operand);
    else terms.push(term);
  }
  return { view: 'narrow', narrow: terms, ...(near !== undefined && { near }) };
}

function readTerm(operatorPart: string, operandPart: string): Term {
  const negated = operatorPart.startsWith('-');
  const operator = canonical(operatorPart.replace(/^-/, ''));
  const operand = readOperand(operator, decodeComponent(operandPart));
  return { operator, operand, ...(negated && { negated }) };
}

/** Whether a term is the message near which a view opens; it restricts nothing. */
const namesMessage = ({ operator, operand }: Term): boolean => operator === 'near' && /^\d+$/.test(operand);

/** Ids end at the first hyphen; what follows is a name for the eyes. */
function readOperand(operator: string, operand: string): string {
  if (operator === 'channel') return /^(\d+)(?:-|$)/.exec(operand)?.[1] ?? operand;
  if (PEOPLE.includes(operator)) return /^(\d[\d,]*)(?:-|$)/.exec(operand)?.[1] ?? operand;
  return operand;
}
