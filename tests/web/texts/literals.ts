import { type ParserOptions, parse } from '@babel/parser';

/** Attributes whose literal is no text. */
const NO_TEXT =
  /^(?:class|name|type|href|id|style|key|role|for|rel|target|dir|lang|autocomplete|accept|method|list|min|max|icon|loading|decoding|popover|focusable|inputMode|enterkeyhint|value|d|fill|stroke.*|viewBox|xmlns|crumbLink|root|heading|aria-(?:live|haspopup|current|controls|describedby|labelledby|autocomplete|relevant|orientation|hidden|busy|expanded|atomic)|data-.*)$/;
/** Calls that show their arguments, or take a name that is shown. */
const SHOWS = new Set([
  'showNotice',
  'confirm',
  'attempt',
  'openDialog',
  'openMenu',
  'openLayer',
  'copyText',
]);
/** Properties that are shown. */
const SHOWN =
  /^(?:label|title|text|hint|note|says|placeholder|empty|legend|action|crumb|find|aria-label|alt|body)$/;
/** Examples, commands, operators and keys, which are the same in every language. */
const SAME =
  /^(?:https:\/\/\S+|\S+@example\.com(?:, \S+)*|example\.com|deploys|Rust|party_octopus|#\(\S+|Ctrl \w|\/\w+|\w+: ?)$/;
/** How the platform names keys and things of it. */
const NAMES = /^(?:Arrow\w+|Page\w+|Escape|Enter|Tab|Home|End|Delete|Backspace|(?:Ctrl|Alt|Shift)\+.+)$/;
/** A phrase for people: it begins with a capital, and another word follows. */
const PHRASE = /^[“#]?\p{Lu}\p{L}*[’,]?\p{L}* \p{L}/u;

interface Node {
  type: string;
  loc?: { start: { line: number } };
  [name: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const holdsWord = (text: string): boolean => /\p{L}{2,}/u.test(text) && !SAME.test(text.trim());

/** The text of a literal, without its inserted values. */
function literalOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw).join(' ');
}

/** The values that an expression may have. */
function outcomesOf(node: unknown): unknown[] {
  if (!isNode(node)) return [];
  if (node.type === 'ConditionalExpression')
    return [...outcomesOf(node.consequent), ...outcomesOf(node.alternate)];
  if (node.type === 'LogicalExpression') return [...outcomesOf(node.left), ...outcomesOf(node.right)];
  if (node.type === 'JSXExpressionContainer') return outcomesOf(node.expression);
  return [node];
}

const textsOf = (node: unknown): string[] =>
  outcomesOf(node)
    .flatMap((outcome) => literalOf(outcome) ?? [])
    .filter(holdsWord);

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'JSXNamespacedName') return `${nameOf(node.namespace)}:${nameOf(node.name)}`;
  return String(node.name ?? node.value ?? '');
}

function shownBy(node: Node): string[] {
  switch (node.type) {
    case 'JSXText':
      return [String(node.value)].filter(holdsWord);
    case 'JSXElement':
    case 'JSXFragment':
      return (node.children as unknown[])
        .filter((child) => isNode(child) && child.type === 'JSXExpressionContainer')
        .flatMap(textsOf);
    case 'JSXAttribute':
      return NO_TEXT.test(nameOf(node.name)) ? [] : textsOf(node.value).filter(isPhrase(nameOf(node.name)));
    case 'CallExpression':
      return SHOWS.has(nameOf(node.callee)) ? (node.arguments as unknown[]).flatMap(textsOf) : [];
    case 'ObjectProperty':
      return SHOWN.test(nameOf(node.key)) ? textsOf(node.value) : [];
    case 'ArrayExpression':
      return (node.elements as unknown[]).flatMap(textsOf).filter(isWord);
    case 'StringLiteral':
    case 'TemplateLiteral':
      return textsOf(node).filter((text) => PHRASE.test(text));
    default:
      return [];
  }
}

const isWord = (text: string): boolean => /^\p{Lu}\p{Ll}/u.test(text) && !NAMES.test(text);

/** Failures of the program and notes for developers are not shown. */
const isUnseen = (node: Node): boolean =>
  (node.type === 'NewExpression' && /Error$|^QueueOver$/.test(nameOf(node.callee))) ||
  (node.type === 'CallExpression' &&
    isNode(node.callee) &&
    node.callee.type === 'MemberExpression' &&
    nameOf(node.callee.object) === 'console');

/** Other attributes than the known ones may take names of the code, which are single small words. */
const isPhrase =
  (attribute: string) =>
  (text: string): boolean =>
    SHOWN.test(attribute) || /\p{Lu}\p{Ll}|\p{L} \p{L}/u.test(text);

/** The texts that a script shows and does not take from the catalogue, as `line: text`. */
export function findLiterals(script: string, isView: boolean): string[] {
  const plugins: ParserOptions['plugins'] = isView ? ['typescript', 'jsx'] : ['typescript'];
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isNode(node) || isUnseen(node)) return;
    const line = node.loc?.start.line;
    for (const text of shownBy(node)) found.add(`${line}: ${text.trim().replace(/\s+/g, ' ')}`);
    for (const [name, child] of Object.entries(node)) if (name !== 'loc') visit(child);
  };
  visit(parse(script, { sourceType: 'module', plugins }).program);
  return [...found];
}
