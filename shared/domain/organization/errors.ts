import { DeclaredError } from '../errors.ts';

/** An owner deactivated the organization, and perhaps its data has been deleted since. */
export class OrganizationDeactivated extends DeclaredError {
  readonly status = 401;
  readonly code = 'REALM_DEACTIVATED';
  constructor(isDeleted = false) {
    super(`This organization has been ${isDeleted ? 'deleted' : 'deactivated'}`);
  }
}
