/**
 * Stands in for the event streams of the SDK in a function's bundle: no operation that the service calls has one.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('The bundle contains no event streams');
  }
}
