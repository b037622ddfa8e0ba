/** Why the service cannot start, in one line for the operator. */
export class StartFailure extends Error {}

/** A setting that no start accepts. */
export class SettingFailure extends StartFailure {}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'TimeoutError']);

/** @throws StartFailure if no DynamoDB answers, otherwise the failure itself */
export function explainUnreachable(failure: unknown, endpoint: string): never {
  const { code, name } = failure as NodeJS.ErrnoException;
  if (UNREACHABLE.has(code ?? name ?? '')) throw new StartFailure(`DynamoDB does not answer at ${endpoint}.`);
  throw failure;
}
