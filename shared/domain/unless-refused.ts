import { BadRequest } from './errors.ts';

/** The decision, or the refusal itself. Any other failure is rethrown. */
export function unlessRefused<Decision>(decide: () => Decision): Decision | BadRequest {
  try {
    return decide();
  } catch (failure) {
    if (failure instanceof BadRequest) return failure;
    throw failure;
  }
}
