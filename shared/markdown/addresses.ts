import { isTopLevelDomain } from './top-level-domains.ts';

/** An address written in a text, and its link target. */
export interface WrittenAddress {
  from: number;
  to: number;
  url: string;
  /** Empty for a domain without a scheme. */
  schema: 'http:' | 'https:' | 'mailto:' | '';
}

const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?`;
const DOMAIN = String.raw`${LABEL}(?:\.${LABEL})+`;
const PORT = String.raw`(?::\d{1,5}(?!\d))?`;
const ACCOUNT = String.raw`(?:[^\s/?#@<>"'|\\[\]()]{1,100}@)?`;
const WEB = String.raw`https?:\/\/${ACCOUNT}(?:\[[\da-f:.]{2,45}\]|${LABEL}(?:\.${LABEL})*)`;
/** What precedes an address without a scheme, if that is a part of a longer name. */
const INNER = String.raw`(?<![\p{L}\p{N}\p{M}_@/\\.+%&=#$~-])`;
const ADDRESS = new RegExp(
  String.raw`(?<![a-z0-9+.-])(${WEB})${PORT}|${INNER}(?:([\p{L}\p{N}_.+-]{1,64}@${DOMAIN})|(${DOMAIN})${PORT})`,
  'giu',
);

/** Words of scripts without spaces may touch an address, which then consists of ASCII letters. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const LEADING_WORD = new RegExp(`^(?=[^@.]*[a-z0-9_+-](?:[@.]|$))${UNSPACED}+`, 'iu');
const TRAILING_WORD = new RegExp(String.raw`(?<=\.[a-z]+)${UNSPACED}.*$`, 'iu');

/** The rest of a longer name, such as a path of a repository behind its host. */
const CONTINUES = /^(?:[@\\]|[:.-]+[\p{L}\p{N}_])/u;
const MAILBOX = /^[^.](?!.*\.[.@]).*@.*\.\p{L}{2,63}$/u;
const WWW = /^www\.[^.]+\./i;

/** Finds the web addresses, domains and mailboxes in a text: ascending, without overlaps. */
export function findAddresses(text: string): WrittenAddress[] {
  const found: WrittenAddress[] = [];
  ADDRESS.lastIndex = 0;
  for (let match = ADDRESS.exec(text); match; match = ADDRESS.exec(text)) {
    const address = readAddress(text, match);
    if (!address) continue;
    found.push(address);
    ADDRESS.lastIndex = address.to;
  }
  return found;
}

const WEB_AT_START = new RegExp(`^(${WEB})${PORT}`, 'iu');

/** The address with a scheme that a text starts with. */
export function webAddressAtStart(text: string): WrittenAddress | undefined {
  const [whole] = WEB_AT_START.exec(text) ?? [];
  return whole === undefined ? undefined : readWeb(text, 0, whole);
}

function readAddress(text: string, match: RegExpExecArray): WrittenAddress | undefined {
  const [whole, web, mailbox, domain] = match;
  if (web !== undefined) return readWeb(text, match.index, whole);
  const written = mailbox ?? domain ?? '';
  const skipped = LEADING_WORD.exec(written)?.[0].length ?? 0;
  const name = written.slice(skipped).replace(TRAILING_WORD, '');
  const from = match.index + skipped;
  // A domain that touches a word has no port.
  const end = name.length + skipped === written.length ? match.index + whole.length : from + name.length;
  if (mailbox !== undefined) {
    if (!MAILBOX.test(name) || CONTINUES.test(text.slice(end, end + 9)) || text[end] === '/')
      return undefined;
    return { from, to: end, url: `mailto:${name}`, schema: 'mailto:' };
  }
  if (!isDomain(name) || CONTINUES.test(text.slice(end, end + 9))) return undefined;
  const to = endOfPath(text, end);
  return { from, to, url: `http://${text.slice(from, to)}`, schema: '' };
}

function readWeb(text: string, from: number, whole: string): WrittenAddress {
  const origin = whole.replace(TRAILING_WORD, '');
  const end = from + origin.length;
  const to = origin === whole ? endOfPath(text, end) : end;
  return { from, to, url: text.slice(from, to), schema: /^https/i.test(whole) ? 'https:' : 'http:' };
}

/** Whether a name ends in a known top-level domain, in lower case: a sentence may lack a space after its end. */
const isDomain = (name: string): boolean =>
  WWW.test(name) || isTopLevelDomain(name.slice(name.lastIndexOf('.') + 1));

const OPENING = '([{';
const CLOSING = ')]}';
const NO_PATH = /[\s<>"|\uff5c\p{Cc}]|(?=[^\0-\x7f])[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]/u;
/** Punctuation of the sentence, if it ends an address. */
const TRAILING = /[!:;?,.'*]/;

/**
 * The end of the path that starts here, if one does. Brackets of a path are balanced; marks of emphasis and
 * punctuation of the sentence end it.
 */
function endOfPath(text: string, start: number): number {
  if (!/[/?#]/.test(text[start] ?? '')) return start;
  const open: { mark: string; at: number }[] = [];
  let end = start;
  for (; end < text.length; end++) {
    const mark = text.charAt(end);
    if (NO_PATH.test(mark) || isMarkOfEmphasis(text, end)) break;
    if (OPENING.includes(mark)) open.push({ mark, at: end });
    else if (CLOSING.includes(mark) && open.pop()?.mark !== OPENING[CLOSING.indexOf(mark)]) break;
  }
  end = Math.min(end, open[0]?.at ?? end);
  while (end > start && TRAILING.test(text.charAt(end - 1))) end--;
  return end;
}

const isMarkOfEmphasis = (text: string, at: number): boolean =>
  text.startsWith('**', at) || text.startsWith('~~', at);
