import { failure } from '#shared/api/envelope.ts';
import { InsufficientScope } from '#shared/domain/api-tokens/errors.ts';
import * as errors from '#shared/domain/errors.ts';
import { GifProviderFailure } from '#shared/domain/gifs/gifs.ts';
import * as integrationErrors from '#shared/domain/integrations/errors.ts';
import {
  ChannelWildcardNotAllowed,
  MoveMessagesTimeLimitExceeded,
  TopicWildcardNotAllowed,
} from '#shared/domain/messages/errors.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import { UnknownZoomUser, VideoCallServerFailure } from '#shared/domain/organization/video-calls.ts';
import * as pushErrors from '#shared/domain/push/errors.ts';
import * as uploadErrors from '#shared/domain/uploads/errors.ts';
import { ForeignRequest } from '#shared/domain/users/sessions/errors.ts';
import type { JsonSchema } from './schema.ts';

/**
 * An instance of each class, as a client may see it; `describeErrors` needs an entry for every class that an
 * endpoint declares.
 */
const samples: errors.DeclaredError[] = [
  new pushErrors.AdminActionRequired(),
  new integrationErrors.AnomalousWebhookPayload('GitHub'),
  new errors.AuthenticationFailed(),
  new errors.BadEventQueueId('fb67bf8a-c031-47cc-84cf-ed80accacda8'),
  new errors.BadNarrow('unknown operator foo'),
  new errors.BadRequest('Invalid type'),
  new errors.BadImage('Invalid image format'),
  new errors.BodyTooLarge(),
  new errors.CannotDeactivateGroupInUse([{ type: 'realm', settings: ['can_create_public_channel_group'] }]),
  new errors.CannotDeactivateLastUser('organization owner'),
  new errors.ChannelAlreadyExists('design'),
  new errors.ChannelDoesNotExist(9),
  new ChannelWildcardNotAllowed(),
  new errors.ConfusingArguments('topic', 'subject'),
  new errors.ExpectationMismatch(),
  new pushErrors.FailedToConnectBouncer(),
  new pushErrors.InternalServerErrorOnBouncer(),
  new ForeignRequest(),
  new errors.IdempotencyKeyReused(),
  new GifProviderFailure(),
  new InsufficientScope(['send']),
  new errors.InvalidApiKey(),
  new errors.InvalidIdempotencyKey(),
  new pushErrors.InvalidPushDeviceToken(),
  new integrationErrors.InvalidJson(),
  new errors.InvitationFailed("We weren't able to invite anyone.", [
    ['ada@example.com', 'Already has an account.', false],
  ]),
  new errors.MissingArgument('stream_id'),
  new integrationErrors.MissingHttpEventHeader('X-GitHub-Event'),
  new MoveMessagesTimeLimitExceeded({ firstId: 31, count: 2 }, 5),
  new pushErrors.NoActivePushDevice(),
  new uploadErrors.NoRoomForUpload('Upload would exceed your upload quota.'),
  new uploadErrors.NoUploadPiece(),
  new errors.NotFound('Scheduled message does not exist'),
  new uploadErrors.RangeNotSatisfiable(1_048_576),
  new OrganizationDeactivated(),
  new errors.RateLimitHit(28.7),
  new errors.ReactionAlreadyExists(),
  new errors.ReactionDoesNotExist(),
  new errors.SystemGroupRequired('can_create_web_public_channel_group'),
  new TopicWildcardNotAllowed(),
  new errors.Unauthorized(),
  new uploadErrors.UnknownTusVersion(),
  new uploadErrors.UploadLengthRequired(),
  new uploadErrors.UploadOffsetMismatch(4_194_304),
  new uploadErrors.UploadTooLarge('This is more than Upload-Length announced'),
  new errors.UnauthorizedPrincipal('administrator'),
  new errors.UploadQuotaExceeded('organization'),
  new errors.UnknownEndpoint(),
  new integrationErrors.UnsupportedWebhookEventType('GitHub', 'milestone:created'),
  new UnknownZoomUser(),
  new errors.UserDeactivated(),
  new VideoCallServerFailure('The BigBlueButton server refused the call.'),
];
const sampleOf = new Map(samples.map((sample) => [sample.constructor, sample]));

/** The description of an error in the document. */
export interface DescribedError {
  name: string;
  status: number;
  code: string | undefined;
  body: Record<string, unknown>;
}

/** @throws for a class without a sample above */
export function describeError(errorClass: errors.DeclaredErrorClass): DescribedError {
  const sample = sampleOf.get(errorClass);
  if (!sample) throw new Error(`infra/openapi/errors.ts has no sample of ${errorClass.name}`);
  const body = JSON.parse(failure(sample).body);
  return { name: errorClass.name, status: sample.status, code: sample.code, body };
}

/** The schemas and examples of all errors, by class name. */
export function describeErrors(): { schemas: Record<string, JsonSchema>; examples: Record<string, object> } {
  const described = samples.map((sample) => describeError(sample.constructor as errors.DeclaredErrorClass));
  return {
    schemas: Object.fromEntries(described.map((error) => [error.name, schemaOf(error)])),
    examples: Object.fromEntries(
      described.map(({ name, body }) => [name, { summary: body.msg, value: body }]),
    ),
  };
}

function schemaOf({ body, code }: DescribedError): JsonSchema {
  const { result: _result, msg: _msg, code: _code, ...fields } = body;
  return {
    type: 'object',
    properties: {
      result: { const: 'error' },
      msg: { type: 'string' },
      ...(code !== undefined && { code: { const: code } }),
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { type: typeOf(value) }])),
    },
    required: ['result', 'msg', ...(code === undefined ? [] : ['code']), ...requiredOf(fields)],
  };
}

/**
 * A channel is identified by name or id, whichever the client used; all other errors have all of their
 * fields.
 */
const requiredOf = (fields: object): string[] => Object.keys(fields).filter((name) => name !== 'stream_id');

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
