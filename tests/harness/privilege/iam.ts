import type { Grant } from '#infra/aws/grants.ts';

/** A call as AWS judges it. A key of the context that AWS would not name is absent. */
export interface CallOfAws {
  action: string;
  resource: string;
  context: Record<string, string[] | undefined>;
}

type Test = (given: string[] | undefined, wanted: string[]) => boolean;

const compiled = new Map<string, RegExp>();

/** `*` matches any text, `?` one character, everything else itself. */
export function isLike(text: string, pattern: string): boolean {
  const known = compiled.get(pattern) ?? compile(pattern);
  compiled.set(pattern, known);
  return known.test(text);
}

const compile = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'su',
  );

const likeOne = (text: string, wanted: string[]): boolean => wanted.some((pattern) => isLike(text, pattern));

/** The operators that the policies of the service use, as the reference of IAM's policies describes them. */
const operators: Record<string, Test> = {
  StringEquals: (given, wanted) => given?.every((text) => wanted.includes(text)) ?? false,
  // For all of no values holds.
  'ForAllValues:StringEquals': (given = [], wanted) => given.every((text) => wanted.includes(text)),
  'ForAllValues:StringLike': (given = [], wanted) => given.every((text) => likeOne(text, wanted)),
  'ForAnyValue:StringLike': (given = [], wanted) => given.some((text) => likeOne(text, wanted)),
  Null: (given, wanted) => wanted.includes(String(given === undefined)),
};

/** Whether one statement covers a call. @throws for an operator that this evaluator does not know */
export function applies({ actions, resources, conditions = {} }: Grant, call: CallOfAws): boolean {
  return (
    likeOne(call.action, actions) &&
    likeOne(call.resource, resources) &&
    Object.entries(conditions).every(([operator, keys]) => {
      const test = operators[operator];
      if (!test) throw new Error(`What ${operator} means is not known here`);
      return Object.entries(keys).every(([key, wanted]) => test(call.context[key], [wanted].flat()));
    })
  );
}

/** Whether a policy lets a call happen: some statement allows it, and none denies it. */
export const isAllowed = (policy: Grant[], call: CallOfAws): boolean =>
  policy.some((one) => one.effect === 'Allow' && applies(one, call)) &&
  !policy.some((one) => one.effect === 'Deny' && applies(one, call));
