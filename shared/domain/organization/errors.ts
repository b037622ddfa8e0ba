import { DeclaredError } from '../errors.ts';

/** An owner deactivated the organization. */
export class OrganizationDeactivated extends DeclaredError {
  readonly status = 401;
  readonly code = 'REALM_DEACTIVATED';
  constructor() {
    super('This organization has been deactivated');
  }
}
