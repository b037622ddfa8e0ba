import { t } from '#web/texts/texts.ts';
import { matchRank } from './match.ts';
import { isSameName } from './names.ts';
import { canonical, type Narrow, PEOPLE, type Term } from './narrow.ts';

/** The operators that the search box offers, with their meaning. */
export const OPERATORS = [
  { written: 'channel:', says: t('search.inAChannel') },
  { written: 'topic:', says: t('search.inATopic') },
  { written: 'sender:', says: t('search.fromSomeone') },
  { written: 'sender:me', says: t('search.fromYou') },
  { written: 'dm:', says: t('search.directMessagesWithSomeone') },
  { written: 'date:', says: t('search.fromADayOnAs') },
  { written: 'is:followed', says: t('search.inTopicsYouFollow') },
  { written: 'is:dm', says: t('search.directMessages') },
  { written: 'is:mentioned', says: t('search.mentionsYou') },
  { written: 'is:starred', says: t('search.starred') },
  { written: 'is:unread', says: t('search.unread') },
  { written: 'is:resolved', says: t('search.inResolvedTopics') },
  { written: 'has:link', says: t('search.hasALink') },
  { written: 'has:attachment', says: t('search.hasAFile') },
  { written: 'has:image', says: t('search.hasAnImage') },
  { written: 'has:reaction', says: t('search.hasReactions') },
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
  'date',
];

/** How names in a search become ids. */
export interface Lookup {
  channelId: (name: string) => number | undefined;
  userId: (nameOrEmail: string) => number | undefined;
}

const TOKEN = /-?[a-z-]+:"(?:[^"\\]|\\.)*"|"[^"]*"|\S+/gi;

/**
 * Parses a typed search: operators with operands, quoted if they hold spaces; everything else is searched
 * for. Inside the quotes of an operand, a backslash escapes a quote or a backslash.
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
    .map((name) => idOf(name.trim()) ?? name)
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

/** A search without the day at which it opens, and that day, as `YYYY-MM-DD`. */
export function splitDate(narrow: Narrow): { narrow: Narrow; date?: string } {
  const date = narrow.find(({ operator, negated }) => operator === 'date' && !negated)?.operand;
  const rest = narrow.filter(({ operator }) => operator !== 'date');
  return date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) ? { narrow: rest, date } : { narrow: rest };
}

/** The word around a cursor. */
export interface Word {
  from: number;
  to: number;
  text: string;
}

/** The word at a place of a query; quotes hold words together. */
export function wordAt(text: string, cursor: number): Word {
  for (const found of text.matchAll(TOKEN)) {
    const from = found.index;
    const to = from + found[0].length;
    if (from <= cursor && cursor <= to) return { from, to, text: found[0] };
  }
  return { from: cursor, to: cursor, text: '' };
}

export interface SearchOffer {
  /** The replacement of the word in the query. */
  text: string;
  says: string;
}

/** What offers are made of. */
export interface Searchable {
  channels: readonly string[];
  people: readonly string[];
  topics: readonly string[];
}

const MOST_OFFERS = 8;

const quoted = (name: string): string =>
  /[\s"\\]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;

const best = (names: readonly string[], typed: string): string[] =>
  names
    .flatMap((name) => {
      const rank = matchRank(name, typed);
      return rank === undefined ? [] : [{ name, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_OFFERS)
    .map(({ name }) => name);

/** How a word of a query may go on: names behind operators, names alone, and operators. */
export function offersFor(word: string, { channels, people, topics }: Searchable): SearchOffer[] {
  const operator = /^(-?)([a-z-]+):"?(.*?)"?$/is.exec(word);
  if (operator) {
    const [, minus = '', written = '', typed = ''] = operator;
    const kind = canonical(written.toLowerCase());
    const [names, says] = PEOPLE.includes(kind)
      ? [people, t('search.person')]
      : kind === 'channel'
        ? [channels, t('search.channel')]
        : kind === 'topic'
          ? [topics, t('search.topic')]
          : [[], ''];
    const found = best(names, typed).filter((name) => !isSameName(name, typed));
    if (found.length > 0) return found.map((name) => ({ text: `${minus}${written}:${quoted(name)}`, says }));
  }
  const operators = OPERATORS.filter(
    ({ written }) => written.startsWith(word.toLowerCase()) && written !== word,
  );
  const shown = operators.slice(0, MOST_OFFERS).map(({ written, says }) => ({ text: written, says }));
  if (word === '' || operator) return shown;
  return [
    ...best(people, word)
      .slice(0, 3)
      .flatMap((name) => [
        { text: `from:${quoted(name)}`, says: t('search.sentByName', { name }) },
        { text: `dm:${quoted(name)}`, says: t('search.directMessagesWithName', { name }) },
      ]),
    ...best(channels, word)
      .slice(0, 3)
      .map((name) => ({ text: `channel:${quoted(name)}`, says: t('search.inName', { name }) })),
    ...shown,
  ].slice(0, MOST_OFFERS);
}
