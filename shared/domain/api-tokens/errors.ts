import { DeclaredError } from '#shared/domain/errors.ts';
import type { TokenScope } from './api-token.ts';

/** An API token does not reach this operation. */
export class InsufficientScope extends DeclaredError {
  readonly status = 403;
  readonly code = 'INSUFFICIENT_SCOPE';
  constructor(required: readonly TokenScope[], message = describe(required)) {
    const scope = required.length > 0 ? `, scope="${required.join(' ')}"` : '';
    super(
      message,
      { required_scopes: [...required] },
      { 'WWW-Authenticate': `Bearer error="insufficient_scope"${scope}` },
    );
  }
}

const describe = (required: readonly TokenScope[]): string =>
  required.length === 0
    ? 'This operation is not available to API tokens.'
    : `This operation requires an API token with the scope ${required.map((scope) => `'${scope}'`).join(' or ')}.`;
