import hljs from 'highlight.js/lib/common';

/**
 * The grammars' expressions backtrack, some in cubic time. They never see more than this many characters at
 * once, so that the time for a block is linear in its length.
 */
const PIECE_CHARACTERS = 500;

/** Separates pieces. The Markdown parser replaces null bytes, so no code contains one. */
const BREAK = '\0';

const LINE = /[^\n]*\n|[^\n]+$/g;
/** The part of a longer line that fits; a code point is at most two characters and is never split. */
const PART = new RegExp(`.{1,${PIECE_CHARACTERS / 2}}`, 'gsu');

/** The library's names for its languages: aliases lead to the same one. */
const keys = new Map(hljs.listLanguages().map((key) => [hljs.getLanguage(key), key]));

/**
 * Highlights code with the library, with spans for scopes. Each piece continues in the state in which the
 * previous one ended. Undefined for an unknown language.
 */
export function highlightPieces(code: string, language: string): string | undefined {
  const key = keys.get(hljs.getLanguage(language));
  if (key === undefined) return undefined;
  const marked = pieces(code)
    .map((piece) => BREAK + piece)
    .join('');
  const { value } = hljs.highlight(marked, { language: piecewise(key), ignoreIllegals: true });
  return value.replaceAll(BREAK, '');
}

/**
 * A language that embeds pieces of another one. The library continues an embedded language in its last state.
 */
function piecewise(key: string): string {
  const name = `pieces of ${key}`;
  if (!hljs.getLanguage(name))
    hljs.registerLanguage(name, () => ({
      contains: [{ begin: BREAK, excludeBegin: true, end: `(?=${BREAK})`, subLanguage: key }],
    }));
  return name;
}

/** Whole lines if they fit; longer ones are split. */
function pieces(code: string): string[] {
  const found: string[] = [];
  let piece = '';
  for (const line of code.match(LINE) ?? []) {
    for (const part of line.length > PIECE_CHARACTERS ? (line.match(PART) ?? []) : [line]) {
      if (piece.length + part.length > PIECE_CHARACTERS) {
        found.push(piece);
        piece = '';
      }
      piece += part;
    }
  }
  return piece === '' ? found : [...found, piece];
}
