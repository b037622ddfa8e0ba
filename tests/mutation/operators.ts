import {
  isArrayLiteralExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isExpressionStatement,
  isGetAccessorDeclaration,
  isIfStatement,
  isNonNullExpression,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSetAccessorDeclaration,
  isThrowStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';

/** A place in a source, and the text that takes the place of what stands there. */
export interface Point {
  operator: string;
  start: number;
  end: number;
  text: string;
  /** What a running program can leave, or take the changed one for; undefined where it can't. */
  choice: Choice | undefined;
}

/** A whole part of a source around a change. */
export interface Choice {
  kind: Kind;
  start: number;
  end: number;
}

type Kind = 'expression' | 'statement' | 'property' | 'element' | 'body';

/** The part of a point that its operator decides. */
interface Change {
  /** What is changed, as a whole, and what it is. */
  whole: Node;
  kind: Kind;
  start: number;
  end: number;
  text: string;
}

type Operator = (node: Node, textOf: (node: Node) => string) => Change[];

const replace = (node: Node, text: string, kind: Kind = 'expression', whole = node): Change => ({
  whole,
  kind,
  start: node.getStart(),
  end: node.end,
  text,
});

/** Each edge moves by one, or the comparison turns round. */
const OTHER_COMPARISONS = new Map<SyntaxKind, string>([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
]);
const JOINING = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
]);
/** Calls without which their receiver is still a value of the same kind. */
const STEPS = new Set([
  'sort',
  'toSorted',
  'toReversed',
  'reverse',
  'filter',
  'slice',
  'trim',
  'toLowerCase',
]);
const FUNCTION_KINDS = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.ArrowFunction,
]);

const operators: Record<string, Operator> = {
  'negated condition': (node, textOf) => {
    if (isIfStatement(node)) return [replace(node.expression, `!(${textOf(node.expression)})`)];
    if (isConditionalExpression(node)) return [replace(node.condition, `!(${textOf(node.condition)})`)];
    return [];
  },
  'dropped condition': (node, textOf) =>
    isBinaryExpression(node) && JOINING.has(node.operatorToken.kind)
      ? [replace(node, textOf(node.left)), replace(node, textOf(node.right))]
      : [],
  'other comparison': (node) => {
    const other = isBinaryExpression(node) && OTHER_COMPARISONS.get(node.operatorToken.kind);
    return isBinaryExpression(node) && other ? [replace(node.operatorToken, other, 'expression', node)] : [];
  },
  'other constant': (node, textOf) => {
    if (node.kind === SyntaxKind.TrueKeyword) return [replace(node, 'false')];
    if (node.kind === SyntaxKind.FalseKeyword) return [replace(node, 'true')];
    return isNumericLiteral(node) ? [replace(node, `(${textOf(node)} + 1)`)] : [];
  },
  'dropped await': (node, textOf) =>
    isAwaitExpression(node) ? [replace(node, `(${textOf(node.expression)})`)] : [],
  'dropped call': (node) => {
    if (!isExpressionStatement(node)) return [];
    const made = isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    return isCallExpression(made) ? [replace(node, ';', 'statement')] : [];
  },
  'dropped step': (node, textOf) => {
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
    const { expression, name } = node.expression;
    return STEPS.has(textOf(name)) ? [replace(node, textOf(expression))] : [];
  },
  'dropped field': (node) => {
    if (isObjectLiteralExpression(node)) return listDrops(node.properties, 'property');
    return isArrayLiteralExpression(node) ? listDrops(node.elements, 'element') : [];
  },
  'dropped refusal': (node) => (isThrowStatement(node) ? [replace(node, ';', 'statement')] : []),
  'early return': (node) => {
    if (!isBlock(node) || node.statements.length === 0) return [];
    return FUNCTION_KINDS.has(node.parent.kind)
      ? [replace(node, '{ return undefined as never; }', 'body')]
      : [];
  },
};

/** One element less, with the comma that follows it. */
const listDrops = (elements: readonly Node[], kind: Kind): Change[] =>
  elements.map((element, index) => ({
    whole: element,
    kind,
    start: element.getStart(),
    end: elements[index + 1]?.getStart() ?? element.end,
    text: '',
  }));

/** The part of a source that is chosen or not where a node is changed. */
function choiceOf(node: Node, kind: Kind, textOf: (node: Node) => string): Choice | undefined {
  if (isAssigned(node) || isNameOfField(node) || isAccessor(node)) return undefined;
  let whole = node;
  // What follows a question mark is left out with what stands before it.
  while (textOf(whole).includes('?.') && isLinked(whole)) whole = whole.parent;
  return { kind, start: whole.getStart(), end: whole.end };
}

/** What stands in a pattern on the left of an assignment has no value of its own. */
const isAssigned = ({ parent: pattern }: Node): boolean =>
  (isObjectLiteralExpression(pattern) || isArrayLiteralExpression(pattern)) &&
  isBinaryExpression(pattern.parent) &&
  pattern.parent.operatorToken.kind === SyntaxKind.EqualsToken &&
  pattern.parent.left === pattern;

const isNameOfField = (node: Node): boolean =>
  (isBindingElement(node.parent) && node.parent.propertyName === node) ||
  (isPropertyAssignment(node.parent) && node.parent.name === node);

const isAccessor = (node: Node): boolean => isGetAccessorDeclaration(node) || isSetAccessorDeclaration(node);

function isLinked(node: Node): boolean {
  const { parent } = node;
  const isLink =
    isPropertyAccessExpression(parent) ||
    isElementAccessExpression(parent) ||
    isCallExpression(parent) ||
    isNonNullExpression(parent);
  return isLink && parent.expression === node;
}

/** What has no effect when the program runs. */
const isSilent = ({ kind }: Node): boolean =>
  kind === SyntaxKind.ImportDeclaration ||
  kind === SyntaxKind.InterfaceDeclaration ||
  kind === SyntaxKind.TypeAliasDeclaration ||
  (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode);

/** Each way in which a source can be broken by one operator at one place. */
export function listPoints(source: SourceFile): Point[] {
  const points: Point[] = [];
  const textOf = (node: Node): string => source.text.slice(node.getStart(), node.end);
  const visit = (node: Node): void => {
    if (isSilent(node)) return;
    for (const [operator, apply] of Object.entries(operators))
      for (const { whole, kind, ...change } of apply(node, textOf))
        points.push({ operator, ...change, choice: choiceOf(whole, kind, textOf) });
    node.forEachChild(visit);
  };
  visit(source);
  return points;
}
