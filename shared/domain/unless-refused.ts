import { BadRequest } from './errors.ts';

/** What is decided, or the refusal itself. Any other failure is thrown on. */
export function unlessRefused<Decision>(decide: () => Decision): Decision | BadRequest {
  try {
    return decide();
  } catch (failure) {
    if (failure instanceof BadRequest) return failure;
    throw failure;
  }
}
