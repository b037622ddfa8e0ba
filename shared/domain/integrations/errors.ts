import { DeclaredError } from '#shared/domain/errors.ts';

/** The sender's event is none that the integration has words for. The status is 200, so that senders keep the webhook. */
export class UnsupportedWebhookEventType extends DeclaredError {
  readonly status = 200;
  readonly code = 'UNSUPPORTED_WEBHOOK_EVENT_TYPE';
  constructor(displayName: string, event: string) {
    super(`The '${event}' event isn't currently supported by the ${displayName} webhook; ignoring`, {
      webhook_name: displayName,
      event_type: event,
    });
  }
}

/** The payload is not of the form that the sender's webhooks have. */
export class AnomalousWebhookPayload extends DeclaredError {
  readonly status = 400;
  readonly code = 'ANOMALOUS_WEBHOOK_PAYLOAD';
  constructor(displayName: string) {
    super(`Unable to parse request: Did ${displayName} generate this event?`, { webhook_name: displayName });
  }
}

export class MissingHttpEventHeader extends DeclaredError {
  readonly status = 400;
  readonly code = 'MISSING_HTTP_EVENT_HEADER';
  constructor(header: string) {
    super(`Missing the HTTP event header '${header}'`, { header });
  }
}

export class InvalidJson extends DeclaredError {
  readonly status = 400;
  readonly code = 'INVALID_JSON';
  constructor() {
    super('Malformed JSON');
  }
}
