import { DeclaredError } from '#shared/domain/errors.ts';

/** Nothing of the file lies in the range that was asked for. */
export class RangeNotSatisfiable extends DeclaredError {
  readonly status = 416;
  readonly code = 'BAD_REQUEST';
  constructor(size: number) {
    super('The requested range is not satisfiable', {}, { 'Content-Range': `bytes */${size}` });
  }
}
