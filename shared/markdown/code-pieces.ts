import hljs from 'highlight.js/lib/common';

/**
 * The expressions of the grammars backtrack: some take time with the third power of what lies ahead of them. Therefore
 * they never see more than this many characters at once, and the time of a block grows with its length.
 */
const PIECE_CHARACTERS = 500;

/** Stands between pieces. The parser of Markdown replaces null bytes, so that no code holds one. */
const BREAK = '\0';

const LINE = /[^\n]*\n|[^\n]+$/g;
/** What of a longer line fits: a code point is at most two characters, and none is cut. */
const PART = new RegExp(`.{1,${PIECE_CHARACTERS / 2}}`, 'gsu');

/** The names under which the library keeps its languages, by the language: aliases lead to the same one. */
const keys = new Map(hljs.listLanguages().map((key) => [hljs.getLanguage(key), key]));

/**
 * What the library makes of code, with spans for scopes. Each piece is read on its own, from the state in which the piece
 * before it ended. Nothing for an unknown language.
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

/** The language whose text is pieces of another. The library goes on with an embedded language where it left off. */
function piecewise(key: string): string {
  const name = `pieces of ${key}`;
  if (!hljs.getLanguage(name))
    hljs.registerLanguage(name, () => ({
      contains: [{ begin: BREAK, excludeBegin: true, end: `(?=${BREAK})`, subLanguage: key }],
    }));
  return name;
}

/** Whole lines as far as they fit; what is longer is cut. */
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
