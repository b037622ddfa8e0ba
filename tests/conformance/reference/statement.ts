/**
 * Where a test is found: its file below `tests`, and its title as the source has it, after the titles of its groups, joined
 * by ` > `. Of a test that runs for many values the placeholders stay (`%s`, `$name`); all of its runs have to pass.
 */
export type Proof = readonly [file: string, title: string];

/** What kind of thing the reference says. */
export type StatementKind =
  | 'operation'
  | 'parameter'
  | 'field'
  | 'rule'
  | 'error'
  | 'transition'
  | 'event'
  | 'limit'
  | 'change';

/** One statement of the reference and the tests that fail where it does not hold. */
export interface Statement {
  kind: StatementKind;
  says: string;
  provenBy: readonly [Proof, ...Proof[]];
}

/** What the reference says about one operation, or about the service as a whole. */
export interface Chapter {
  /** The route of the operation below `/api/v1`; absent for what no single operation does. */
  route?: string;
  statements: readonly Statement[];
}

const sayer =
  (kind: StatementKind) =>
  (says: string, ...provenBy: [Proof, ...Proof[]]): Statement => ({ kind, says, provenBy });

/** What the reference says, by kind; the tests that prove it follow. */
export const operation = sayer('operation');
export const parameter = sayer('parameter');
export const field = sayer('field');
export const rule = sayer('rule');
export const error = sayer('error');
export const transition = sayer('transition');
export const event = sayer('event');
export const limit = sayer('limit');
export const change = sayer('change');

/** Names the tests of one file. */
export const testsOf =
  (file: string) =>
  (title: string): Proof => [file, title];
