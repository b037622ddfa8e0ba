import { canonical, type Narrow, type Term } from './narrow.ts';

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
];

/** How names in a search become ids. */
export interface Lookup {
  channelId: (name: string) => number | undefined;
  userId: (nameOrEmail: string) => number | undefined;
}

/** Reads what a person typed: operators with operands, quoted where they hold spaces; everything else is searched for. */
export function readSearch(text: string, lookup: Lookup): Narrow {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [token] of text.matchAll(/-?[a-z-]+:"[^"]*"|"[^"]*"|\S+/gi)) {
    const found = /^(-?)([a-z-]+):(.+)$/i.exec(token);
    const operator = canonical(found?.[2]?.toLowerCase() ?? '');
    if (!found || !KNOWN.includes(operator)) {
      words.push(token);
      continue;
    }
    const operand = readName(operator, (found[3] ?? '').replace(/^"|"$/g, ''), lookup);
    terms.push({ operator, operand, ...(found[1] === '-' && { negated: true }) });
  }
  return words.length === 0 ? terms : [...terms, { operator: 'search', operand: words.join(' ') }];
}

function readName(operator: string, operand: string, lookup: Lookup): string {
  if (operator === 'channel') return String(lookup.channelId(operand) ?? operand);
  if (operator === 'sender' || operator === 'dm' || operator === 'dm-including') {
    if (operand === 'me') return operand;
    return operand
      .split(',')
      .map((one) => lookup.userId(one.trim()) ?? one)
      .join(',');
  }
  return operand;
}

/** The text that reads as the narrow. */
export function writeSearch(
  narrow: Narrow,
  names: { channel: (id: number) => string | undefined; person: (id: number) => string | undefined },
): string {
  return narrow
    .map(({ operator, operand, negated }) => {
      if (operator === 'search') return operand;
      let shown = operand;
      if (operator === 'channel') shown = names.channel(Number(operand)) ?? operand;
      if (operator === 'sender' || operator === 'dm')
        shown = operand
          .split(',')
          .map((id) => names.person(Number(id)) ?? id)
          .join(',');
      return `${negated ? '-' : ''}${operator}:${shown.includes(' ') || shown === '' ? `"${shown}"` : shown}`;
    })
    .join(' ');
}
