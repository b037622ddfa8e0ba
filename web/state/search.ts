import { canonical, type Narrow, PEOPLE, type Term } from './narrow.ts';

/** What the search box offers, with what each finds. */
export const OPERATORS = [
  { written: 'channel:', says: 'Messages of a channel' },
  { written: 'topic:', says: 'Messages of a topic' },
  { written: 'sender:', says: 'Messages from a person' },
  { written: 'sender:me', says: 'Messages that you sent' },
  { written: 'dm:', says: 'Direct messages with a person' },
  { written: 'is:dm', says: 'Direct messages' },
  { written: 'is:mentioned', says: 'Messages that mention you' },
  { written: 'is:starred', says: 'Starred messages' },
  { written: 'is:unread', says: 'Unread messages' },
  { written: 'is:resolved', says: 'Messages of resolved topics' },
  { written: 'has:link', says: 'Messages with links' },
  { written: 'has:attachment', says: 'Messages with files' },
  { written: 'has:image', says: 'Messages with pictures' },
  { written: 'has:reaction', says: 'Messages with reactions' },
] as const;

const KNOWN = [
  'channel',
  'channels',
  'topic',
  'sender',
  'dm',
  'dm-including',
  'is',
  'has',
  'in',
  'id',
  'near',
  'with',
  'mentions',
  'search',
];

/** How names in a search become ids. */
export interface Lookup {
  channelId: (name: string) => number | undefined;
  userId: (nameOrEmail: string) => number | undefined;
}

const TOKEN = /-?[a-z-]+:"(?:[^"\\]|\\.)*"|"[^"]*"|\S+/gi;

/**
 * Reads what a person typed: operators with operands, quoted if they hold spaces; everything else is searched
 * for. Inside the quotes of an operand, a backslash stands before a quote or a backslash.
 */
export function readSearch(text: string, lookup: Lookup): Narrow {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const found = /^(-?)([a-z-]+):(.+)$/is.exec(token);
    const operator = canonical(found?.[2]?.toLowerCase() ?? '');
    if (!found || !KNOWN.includes(operator)) {
      words.push(token);
      continue;
    }
    const operand = readName(operator, unquote(found[3] ?? ''), lookup);
    terms.push({ operator, operand, ...(found[1] === '-' && { negated: true }) });
  }
  return words.length === 0 ? terms : [...terms, { operator: 'search', operand: words.join(' ') }];
}

function unquote(written: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(written)?.[1];
  return quoted === undefined ? written.replace(/^"|"$/g, '') : quoted.replace(/\\(["\\])/g, '$1');
}

const isId = (text: string): boolean => /^\d+$/.test(text);

function readName(operator: string, operand: string, lookup: Lookup): string {
  if (operator === 'channel') return isId(operand) ? operand : String(lookup.channelId(operand) ?? operand);
  return PEOPLE.includes(operator) ? readPeople(operand, lookup) : operand;
}

/** Names may have commas, so the whole is tried first. */
function readPeople(operand: string, lookup: Lookup): string {
  const idOf = (name: string): number | undefined =>
    name === 'me' || isId(name) ? undefined : lookup.userId(name);
  const whole = idOf(operand);
  if (whole !== undefined) return String(whole);
  return operand
    .split(',')
    .map((one) => idOf(one.trim()) ?? one)
    .join(',');
}

/** How ids in a search are shown. A name that would not read as its id is no name here. */
interface ShownNames {
  channel: (id: number) => string | undefined;
  person: (id: number) => string | undefined;
}

/** The text that reads as the narrow. */
export function writeSearch(narrow: Narrow, names: ShownNames): string {
  return narrow.map((term, index) => writeTerm(term, index === narrow.length - 1, names)).join(' ');
}

function writeTerm({ operator, operand, negated }: Term, isLast: boolean, names: ShownNames): string {
  if (operator === 'search' && isLast && !negated && isPlain(operand)) return operand;
  const shown = showOperand(operator, operand, names);
  const needsQuotes = shown === '' || /[\s"\\]/.test(shown);
  const written = needsQuotes ? `"${shown.replace(/["\\]/g, '\\$&')}"` : shown;
  return `${negated ? '-' : ''}${operator}:${written}`;
}

function showOperand(operator: string, operand: string, names: ShownNames): string {
  const nameOf = (id: string, name: string | undefined): string =>
    name === undefined || name === 'me' || isId(name) || /^\s|\s$|,/.test(name) ? id : name;
  if (operator === 'channel') return nameOf(operand, names.channel(Number(operand)));
  if (!PEOPLE.includes(operator)) return operand;
  return operand
    .split(',')
    .map((id) => (isId(id) ? nameOf(id, names.person(Number(id))) : id))
    .join(',');
}

const NO_LOOKUP: Lookup = { channelId: () => undefined, userId: () => undefined };

/** Whether words that are searched for read as themselves, without an operator. */
function isPlain(operand: string): boolean {
  const [only, another] = readSearch(operand, NO_LOOKUP);
  return only?.operator === 'search' && only.operand === operand && another === undefined && !only.negated;
}
