/** Replaces the SDK's event streams in bundles: no operation that the service calls has one. */
export class EventStreamSerde {
  constructor() {
    throw new Error('The bundle contains no event streams');
  }
}
