import { DeclaredError } from '../errors.ts';

/** The user has no device that can be notified. */
export class NoActivePushDevice extends DeclaredError {
  readonly status = 400;
  readonly code = 'NO_ACTIVE_PUSH_DEVICE';
  constructor() {
    super('No active registered push device');
  }
}

/** The user has no such token. */
export class InvalidPushDeviceToken extends DeclaredError {
  readonly status = 400;
  readonly code = 'INVALID_PUSH_DEVICE_TOKEN';
  constructor() {
    super('Device not recognized');
  }
}

/** The administrator of the service must fix the push relay's configuration. */
export class AdminActionRequired extends DeclaredError {
  readonly status = 403;
  readonly code = 'ADMIN_ACTION_REQUIRED';
  constructor() {
    super(
      'Push notification configuration issue on server, contact the server administrator or retry later.',
    );
  }
}

/** The push relay does not answer. */
export class FailedToConnectBouncer extends DeclaredError {
  readonly status = 502;
  readonly code = 'FAILED_TO_CONNECT_BOUNCER';
  constructor() {
    super('Network error while connecting to Team Chat push notification service.');
  }
}

/** The push relay's answer is invalid. */
export class InternalServerErrorOnBouncer extends DeclaredError {
  readonly status = 502;
  readonly code = 'INTERNAL_SERVER_ERROR_ON_BOUNCER';
  constructor() {
    super('Internal server error on Team Chat push notification service, retry later.');
  }
}
