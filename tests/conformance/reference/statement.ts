/** The type of a statement. */
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

/** One statement of the reference. Tests that prove it name its id (`proves`). */
export interface Statement {
  id: string;
  kind: StatementKind;
  says: string;
}

/** The statements of the reference about one operation, or about the service as a whole. */
export interface Chapter {
  /** The route of the operation below `/api/v1`; absent for statements about several operations. */
  route?: string;
  statements: readonly Statement[];
}

const sayer =
  (kind: StatementKind) =>
  (id: string, says: string): Statement => ({ id, kind, says });

/** The statements of the reference, by type. */
export const operation = sayer('operation');
export const parameter = sayer('parameter');
export const field = sayer('field');
export const rule = sayer('rule');
export const error = sayer('error');
export const transition = sayer('transition');
export const event = sayer('event');
export const limit = sayer('limit');
export const change = sayer('change');
