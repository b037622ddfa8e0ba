/** A request that DynamoDB would reject as a ValidationException: a defect of the caller. */
export class InvalidRequest extends Error {
  override readonly name = 'ValidationException';
}
