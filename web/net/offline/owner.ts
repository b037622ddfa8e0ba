/** The name under which the device keeps whose conversations it has. */
export const OWNER = 'kept account';
