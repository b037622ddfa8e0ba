import { InvokeCommand, LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { Throttled } from '#shared/table/table.ts';

/** Invokes a function by its short name and waits for its result. */
export type InvokeFunction = (name: string, event: object) => Promise<unknown>;

export interface AwsFunctionsOptions {
  /** The prefix of the names of a deployment's functions. */
  namePrefix: string;
  /** An address other than the region's own. */
  endpoint?: string;
}

/**
 * Invokes functions of this deployment. Each call is one attempt: a request that was not answered may have been
 * served, so only its client may repeat it.
 * @throws Throttled if no execution is free
 * @throws Error if the function failed
 */
export function createAwsFunctions({ namePrefix, endpoint }: AwsFunctionsOptions): InvokeFunction {
  const client = new LambdaClient({ maxAttempts: 1, ...(endpoint && { endpoint }) });
  return async (name, event) => {
    const FunctionName = `${namePrefix}${name}`;
    const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
    const { Payload, FunctionError } = await client.send(command).catch((failure) => {
      if (!(failure instanceof TooManyRequestsException)) throw failure;
      throw new Throttled(`The function ${FunctionName} is throttled`, { cause: failure });
    });
    const result = Payload?.transformToString() ?? '';
    if (FunctionError) throw new Error(`The function ${FunctionName} failed: ${result}`);
    return JSON.parse(result);
  };
}
