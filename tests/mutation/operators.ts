import {
  isArrayLiteralExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIfStatement,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isThrowStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';

/** A place in a source, and the replacement of its text. */
export interface Point {
  operator: string;
  start: number;
  end: number;
  text: string;
}

/** The part of a point that its operator decides. */
type Change = Omit<Point, 'operator'>;

type Operator = (node: Node, textOf: (node: Node) => string) => Change[];

const replace = (node: Node, text: string): Change => ({
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
    return isBinaryExpression(node) && other ? [replace(node.operatorToken, other)] : [];
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
    return isCallExpression(made) ? [replace(node, ';')] : [];
  },
  'dropped step': (node, textOf) => {
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
    const { expression, name } = node.expression;
    return STEPS.has(textOf(name)) ? [replace(node, textOf(expression))] : [];
  },
  'dropped field': (node) => {
    if (isObjectLiteralExpression(node)) return listDrops(node.properties);
    return isArrayLiteralExpression(node) ? listDrops(node.elements) : [];
  },
  'dropped refusal': (node) => (isThrowStatement(node) ? [replace(node, ';')] : []),
  'early return': (node) => {
    if (!isBlock(node) || node.statements.length === 0) return [];
    return FUNCTION_KINDS.has(node.parent.kind) ? [replace(node, '{ return undefined as never; }')] : [];
  },
};

/** One element less, with the comma that follows it. */
const listDrops = (elements: readonly Node[]): Change[] =>
  elements.map((element, index) => ({
    start: element.getStart(),
    end: elements[index + 1]?.getStart() ?? element.end,
    text: '',
  }));

/** Code without effect when the program runs. */
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
      for (const change of apply(node, textOf)) points.push({ operator, ...change });
    node.forEachChild(visit);
  };
  visit(source);
  return points;
}
