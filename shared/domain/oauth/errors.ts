import { BadRequest } from '#shared/domain/errors.ts';

/** A refusal in the words of OAuth 2.1. */
export class OAuthError extends BadRequest {
  readonly error: string;
  constructor(error: string, description: string) {
    super(description, { error, error_description: description });
    this.error = error;
  }
}
