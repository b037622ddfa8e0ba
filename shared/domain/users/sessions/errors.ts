import { DeclaredError } from '#shared/domain/errors.ts';

/** A page of another site sent a request with the session of a signed-in person. */
export class ForeignRequest extends DeclaredError {
  readonly status = 403;
  readonly code = 'CSRF_FAILED';
  constructor() {
    super('Requests with a session must come from a page of this service.');
  }
}
