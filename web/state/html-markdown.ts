/** The parts of a document node that the conversion reads; browsers' nodes have them. */
export interface MarkupNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<MarkupNode>;
  getAttribute?(name: string): string | null;
}

const TEXT = 3;
const HIDDEN = new Set(['STYLE', 'SCRIPT', 'HEAD', 'TITLE', 'META', 'TEMPLATE', 'BUTTON', 'SVG']);

interface Place {
  /** The prefix of lists that are around. */
  indent: string;
  isPre: boolean;
  /** Without marks, as people read it. */
  isPlain: boolean;
  /** The language of the code. */
  language?: string;
}

/** Markdown of rich text, as it is pasted and quoted. Pure: it changes nothing of the document. */
export const markdownOf = (nodes: Iterable<MarkupNode>): string => textOf(nodes, false);

/** The words of rich text in their lines, without marks, as it is copied. */
export const plainTextOf = (nodes: Iterable<MarkupNode>): string => textOf(nodes, true);

const textOf = (nodes: Iterable<MarkupNode>, isPlain: boolean): string =>
  [...nodes]
    .map((node) => write(node, { indent: '', isPre: false, isPlain }))
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replace(/[\ue000-\ue002]/g, (sign) => ['', ' ', '\t'][sign.charCodeAt(0) - 0xe000] ?? '');

/** Space of code under other signs, so that nothing takes it for the space between blocks. */
const heldSpace = (code: string): string =>
  code
    .replaceAll(' ', '\ue001')
    .replaceAll('\t', '\ue002')
    .replace(/^(?=\n)|(?<=\n)(?=\n)/g, '\ue000');

const inside = (node: MarkupNode, place: Place): string =>
  [...node.childNodes].map((child) => write(child, place)).join('');

function write(node: MarkupNode, place: Place): string {
  if (node.nodeType === TEXT) {
    const text = node.nodeValue ?? '';
    return place.isPre ? heldSpace(text) : text.replace(/\s+/g, ' ');
  }
  const name = node.nodeName.toUpperCase();
  const names = node.getAttribute?.('class') ?? '';
  if (HIDDEN.has(name) || /\bcode-bar\b/.test(names)) return '';
  if (/(?:^|\s)katex(?:\s|$)/.test(names)) return formula(node);
  if (names === 'spoiler-block') return spoiler(node, place);
  const writer = WRITERS[name];
  return writer ? writer(node, place) : inside(node, place);
}

/** The source of a formula, stored next to its rendering. */
function formula(node: MarkupNode): string {
  const [source] = descendants(node, 'ANNOTATION');
  const text = source ? [...source.childNodes].map(({ nodeValue }) => nodeValue ?? '').join('') : '';
  return `$$${text.trim()}$$`;
}

/** A spoiler stays one. Of a closed one, people read the heading alone. */
function spoiler(node: MarkupNode, place: Place): string {
  const [header, content] = [...node.childNodes].filter(({ nodeName }) => /^div$/i.test(nodeName));
  const [title, text] = [header, content].map((part) => (part ? inside(part, place).trim() : ''));
  const isClosed = content?.getAttribute?.('aria-hidden') === 'true';
  if (place.isPlain) return `\n\n${title}${isClosed ? '' : `\n\n${text}`}\n\n`;
  const fence = /`{3}/.test(text ?? '') ? '````' : '```';
  return `\n\n${fence}spoiler ${title}\n${text}\n${fence}\n\n`;
}

type Writer = (node: MarkupNode, place: Place) => string;

/** Marks must touch letters, so spaces at the ends of a bold text stay outside of it. */
const marked =
  (mark: string): Writer =>
  (node, place) => {
    const text = inside(node, place);
    const words = text.trim();
    if (words === '' || place.isPre || place.isPlain) return text;
    const [before = ''] = /^\s*/.exec(text) ?? [];
    const [after = ''] = /\s*$/.exec(text) ?? [];
    return `${before}${mark}${words}${mark}${after}`;
  };

const block: Writer = (node, place) => {
  const language = node.getAttribute?.('data-code-language') ?? '';
  return `\n\n${inside(node, { ...place, language }).trim()}\n\n`;
};

const heading =
  (level: number): Writer =>
  (node, place) =>
    `\n\n${place.isPlain ? '' : `${'#'.repeat(level)} `}${inside(node, place).trim()}\n\n`;

function list(node: MarkupNode, place: Place): string {
  const isOrdered = node.nodeName.toUpperCase() === 'OL';
  let count = Number(node.getAttribute?.('start') ?? 1) || 1;
  const items = [...node.childNodes].filter((child) => child.nodeName.toUpperCase() === 'LI');
  const lines = items.map((item) => {
    const mark = isOrdered ? `${count++}. ` : '* ';
    const text = inside(item, { ...place, indent: `${place.indent}  ` })
      .trim()
      .replace(/\n+/g, `\n${' '.repeat(mark.length)}`);
    return `${mark}${text}`;
  });
  return `\n\n${lines.join('\n')}\n\n`;
}

function code(node: MarkupNode, place: Place): string {
  const text = inside(node, { ...place, isPre: true });
  if (place.isPre || place.isPlain || text.trim() === '') return text;
  const mark = text.includes('`') ? '``' : '`';
  return `${mark}${text.includes('`') ? ` ${text} ` : text}${mark}`;
}

function pre(node: MarkupNode, place: Place): string {
  const text = inside(node, { ...place, isPre: true }).replace(/\n$/, '');
  if (place.isPlain) return `\n\n${text}\n\n`;
  const fence = /`{3}/.test(text) ? '````' : '```';
  return `\n\n${fence}${place.language ?? ''}\n${text}\n${fence}\n\n`;
}

function link(node: MarkupNode, place: Place): string {
  const text = inside(node, place).trim();
  const href = node.getAttribute?.('href') ?? '';
  // Addresses within the service are relative.
  if (!/^(https?:|mailto:|#narrow\/|\/user_uploads\/)/i.test(href) || text === '') return text;
  if (place.isPlain) return text;
  return text === href || place.isPre ? href : `[${text.replace(/[[\]]/g, '\\$&')}](${href})`;
}

function quote(node: MarkupNode, place: Place): string {
  const lines = inside(node, place).trim().split('\n');
  return `\n\n${lines.map((line) => `> ${line}`).join('\n')}\n\n`;
}

function table(node: MarkupNode, place: Place): string {
  const rows = descendants(node, 'TR').map((row) =>
    [...row.childNodes]
      .filter((cell) => /^T[DH]$/i.test(cell.nodeName))
      .map((cell) =>
        inside(cell, place)
          .trim()
          .replace(/\s*\n\s*/g, ' ')
          .replaceAll('|', place.isPlain ? '|' : '\\|'),
      ),
  );
  // Tabs divide cells for people and for spreadsheets.
  if (place.isPlain) return `\n\n${rows.map((cells) => cells.join('\t')).join('\n')}\n\n`;
  const [head, ...rest] = rows.filter((cells) => cells.length > 0);
  if (!head) return '';
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return `\n\n${[line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n')}\n\n`;
}

const descendants = (node: MarkupNode, name: string): MarkupNode[] =>
  [...node.childNodes].flatMap((child) =>
    child.nodeName.toUpperCase() === name ? [child] : descendants(child, name),
  );

/** A policy may have the style under another name. */
const styleOf = (node: MarkupNode): string =>
  node.getAttribute?.('style') ?? node.getAttribute?.('data-style') ?? '';

/** Some editors wrap everything in a bold element that says in its style that it is not bold. */
const bold: Writer = (node, place) =>
  /font-weight:\s*(?:normal|400)/.test(styleOf(node)) ? inside(node, place) : marked('**')(node, place);

const span: Writer = (node, place) => {
  const style = styleOf(node);
  const isBold = /font-weight:\s*(?:bold|[6-9]00)/.test(style);
  const isItalic = /font-style:\s*italic/.test(style);
  if (isBold) return marked('**')(node, place);
  return isItalic ? marked('*')(node, place) : inside(node, place);
};

const nameOfPlayer = (node: MarkupNode): string =>
  node.getAttribute?.('title') ?? node.getAttribute?.('aria-label') ?? '';

const WRITERS: Record<string, Writer> = {
  ...{ B: bold, STRONG: bold, SPAN: span, A: link, CODE: code, PRE: pre, BLOCKQUOTE: quote, TABLE: table },
  ...{ I: marked('*'), EM: marked('*'), S: marked('~~'), DEL: marked('~~'), STRIKE: marked('~~') },
  ...{ P: block, DIV: block, SECTION: block, ARTICLE: block, UL: list, OL: list },
  ...{ H1: heading(1), H2: heading(2), H3: heading(3), H4: heading(4), H5: heading(5), H6: heading(6) },
  BR: () => '\n',
  HR: () => '\n\n---\n\n',
  AUDIO: nameOfPlayer,
  VIDEO: nameOfPlayer,
  IMG: (node) => node.getAttribute?.('alt') ?? '',
};
