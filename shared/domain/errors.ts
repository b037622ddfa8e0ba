/**
 * The base of all errors that a client may see. A class declares the HTTP status and the public code; its
 * fields appear beside `msg` and `code` in the reply. Endpoints list the classes that they throw.
 */
export abstract class DeclaredError extends Error {
  abstract readonly status: number;
  /** Absent only when the protocol has none (405, 500). */
  abstract readonly code: string | undefined;
  /** Additional fields of the error body. */
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(message: string, fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
    super(message);
    this.fields = fields;
    this.headers = headers;
  }
}

/** The class of a declared error, as endpoints list it. */
// biome-ignore lint/suspicious/noExplicitAny: each class has its own constructor parameters
export type DeclaredErrorClass = new (...parameters: any[]) => DeclaredError;

/** Invalid input or a missing target. */
export class BadRequest extends DeclaredError {
  readonly status: number = 400;
  readonly code = 'BAD_REQUEST';
}

/** A missing target for which the protocol answers 404. */
export class NotFound extends DeclaredError {
  readonly status = 404;
  readonly code = 'BAD_REQUEST';
}

/** A file exceeds the quota of the organization, of its owner, or of its owner's uploads per day. */
export class UploadQuotaExceeded extends DeclaredError {
  readonly status = 400;
  readonly code = 'REALM_UPLOAD_QUOTA';
  constructor(of: 'organization' | 'account' | 'day') {
    const quotas = { organization: "your organization's upload quota", account: 'your upload quota' };
    super(`Upload would exceed ${of === 'day' ? 'what you may upload in a day' : quotas[of]}.`);
  }
}

/** A file that is not a supported picture, or is too large. */
export class BadImage extends DeclaredError {
  readonly status = 400;
  readonly code = 'BAD_IMAGE';
}

export class MissingArgument extends DeclaredError {
  readonly status = 400;
  readonly code = 'REQUEST_VARIABLE_MISSING';
  constructor(name: string) {
    super(`Missing '${name}' argument`, { var_name: name });
  }
}

/** Two names of the same parameter were given. */
export class ConfusingArguments extends DeclaredError {
  readonly status = 400;
  readonly code = 'REQUEST_CONFUSING_VAR';
  constructor(first: string, second: string) {
    super(`Can't decide between '${first}' and '${second}' arguments`, {
      var_name1: first,
      var_name2: second,
    });
  }
}

const loginHeaders = { 'WWW-Authenticate': 'Basic realm="team-chat"' };

export class Unauthorized extends DeclaredError {
  readonly status = 401;
  readonly code = 'UNAUTHORIZED';
  constructor(message = 'Not logged in: API authentication or user session required') {
    super(message, {}, loginHeaders);
  }
}

export class InvalidApiKey extends DeclaredError {
  readonly status = 401;
  readonly code = 'INVALID_API_KEY';
  constructor(message: 'Invalid API key' | 'Malformed API key' = 'Invalid API key') {
    super(message);
  }
}

export class UserDeactivated extends DeclaredError {
  readonly status = 401;
  readonly code = 'USER_DEACTIVATED';
  constructor() {
    super('Account is deactivated');
  }
}

export class AuthenticationFailed extends DeclaredError {
  readonly status = 401;
  readonly code = 'AUTHENTICATION_FAILED';
  constructor() {
    super('Your username or password is incorrect');
  }
}

/** The caller lacks the required role. */
export class UnauthorizedPrincipal extends DeclaredError {
  readonly status = 400;
  readonly code = 'UNAUTHORIZED_PRINCIPAL';
  constructor(role: 'owner' | 'administrator' | 'member') {
    super(`Must be an organization ${role}`);
  }
}

/** At least one owner must remain. */
export class CannotDeactivateLastUser extends DeclaredError {
  readonly status = 400;
  readonly code = 'CANNOT_DEACTIVATE_LAST_USER';
  constructor(entity: 'organization owner' | 'user') {
    super(`Cannot deactivate the only ${entity}.`, {
      is_last_owner: entity === 'organization owner',
      entity,
    });
  }
}

export class ChannelDoesNotExist extends DeclaredError {
  readonly status = 400;
  readonly code = 'STREAM_DOES_NOT_EXIST';
  constructor(channel: number | string) {
    if (typeof channel === 'number')
      super(`Channel with ID '${channel}' does not exist`, { stream_id: channel });
    else super(`Channel '${channel}' does not exist`, { stream: channel });
  }
}

export class ChannelAlreadyExists extends DeclaredError {
  readonly status = 409;
  readonly code = 'CHANNEL_ALREADY_EXISTS';
  constructor(name: string) {
    super(`Channel '${name}' already exists`, { channel_name: name });
  }
}

export class BadEventQueueId extends DeclaredError {
  readonly status = 400;
  readonly code = 'BAD_EVENT_QUEUE_ID';
  constructor(queueId: string) {
    super(`Bad event queue ID: ${queueId}`, { queue_id: queueId });
  }
}

export class BadNarrow extends DeclaredError {
  readonly status = 400;
  readonly code = 'BAD_NARROW';
  constructor(description: string, subject: 'operator' | 'operator combination' = 'operator') {
    super(`Invalid narrow ${subject}: ${description}`, { desc: description });
  }
}

/** The client's assumption about the current state is wrong. */
export class ExpectationMismatch extends DeclaredError {
  readonly status = 400;
  readonly code = 'EXPECTATION_MISMATCH';
  constructor() {
    super("'old' value does not match the expected value.");
  }
}

/** The setting accepts only system groups. */
export class SystemGroupRequired extends DeclaredError {
  readonly status = 400;
  readonly code = 'SYSTEM_GROUP_REQUIRED';
  constructor(settingName: string) {
    super(`'${settingName}' must be a system user group.`, { setting_name: settingName });
  }
}

export class ReactionAlreadyExists extends DeclaredError {
  readonly status = 400;
  readonly code = 'REACTION_ALREADY_EXISTS';
  constructor() {
    super('Reaction already exists.');
  }
}

export class ReactionDoesNotExist extends DeclaredError {
  readonly status = 400;
  readonly code = 'REACTION_DOES_NOT_EXIST';
  constructor() {
    super("Reaction doesn't exist.");
  }
}

/** Settings or other groups name the group. */
export class CannotDeactivateGroupInUse extends DeclaredError {
  readonly status = 400;
  readonly code = 'CANNOT_DEACTIVATE_GROUP_IN_USE';
  constructor(objections: object[]) {
    super('Cannot deactivate user group in use.', { objections });
  }
}

/** The invitation cannot be used; the text does not reveal whether or until when it was valid. */
export class InvalidInvitation extends BadRequest {
  constructor() {
    super(
      'This invitation is not valid: it has been used, has ended or was taken back, or there never was one.',
    );
  }
}

/** An address, the reason why it was not invited, and whether its account is deactivated. */
export type InvitationProblem = [email: string, reason: string, isDeactivated: boolean];

/** Some people could not be invited; the others may have been. */
export class InvitationFailed extends DeclaredError {
  readonly status = 400;
  readonly code = 'INVITATION_FAILED';
  constructor(
    message: string,
    errors: InvitationProblem[] = [],
    { sent = false, isDailyLimit = false }: { sent?: boolean; isDailyLimit?: boolean } = {},
  ) {
    super(message, {
      errors,
      sent_invitations: sent,
      license_limit_reached: false,
      daily_limit_reached: isDailyLimit,
    });
  }
}

/** The header `Idempotency-Key` is malformed. */
export class InvalidIdempotencyKey extends DeclaredError {
  readonly status = 400;
  readonly code = 'INVALID_IDEMPOTENCY_KEY';
  constructor() {
    super('The Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
}

/** The key was used before for a different request. */
export class IdempotencyKeyReused extends DeclaredError {
  readonly status = 422;
  readonly code = 'IDEMPOTENCY_KEY_REUSED';
  constructor() {
    super('This Idempotency-Key was used for another request.');
  }
}

/** The disk of the service is full; nothing was changed. Only on one machine. */
export class InsufficientStorage extends DeclaredError {
  readonly status = 507;
  readonly code = 'STORAGE_FULL';
  constructor() {
    super('The storage of the service is full.');
  }
}

/** Too many requests, or the table has no capacity for the moment. */
export class RateLimitHit extends DeclaredError {
  readonly status = 429;
  readonly code = 'RATE_LIMIT_HIT';
  constructor(retryAfterSeconds: number) {
    super(
      'API usage exceeded rate limit',
      { 'retry-after': retryAfterSeconds },
      { 'Retry-After': String(retryAfterSeconds) },
    );
  }
}

export class BodyTooLarge extends DeclaredError {
  readonly status = 413;
  readonly code = 'BAD_REQUEST';
  constructor() {
    super('The request body is too large');
  }
}

/** The reply would not fit through the gateway. */
export class ReplyTooLarge extends BadRequest {
  constructor(isCompressed: boolean) {
    super(
      isCompressed
        ? 'The reply is too large; ask for less'
        : 'The reply is too large to be sent uncompressed; accept gzip, or ask for less',
    );
  }
}

export class UnknownEndpoint extends DeclaredError {
  readonly status = 404;
  readonly code = 'BAD_REQUEST';
  constructor() {
    super('Endpoint not found.');
  }
}

export class MethodNotAllowed extends DeclaredError {
  readonly status = 405;
  readonly code = undefined;
  constructor(allowedMethods: string[]) {
    super('Method Not Allowed', { allowed_methods: allowedMethods }, { Allow: allowedMethods.join(', ') });
  }
}
