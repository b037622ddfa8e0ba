import { Throttled } from '#shared/table/table.ts';
import { domainOf } from './aws-domain.ts';
import { isBusy, requestAws } from './aws-request.ts';

export interface StoredSecretOptions {
  name: string;
  region: string;
  /** An address other than the region's own. */
  endpoint?: string;
}

const TIMEOUT_MS = 4_000;

/**
 * Reads and decrypts a SecureString parameter. One signed request, because the SDK's client would be half of
 * a function's bundle.
 * @throws Throttled while SSM is busy or does not answer
 * @throws Error with the parameter's name and SSM's message
 */
export const readSecretParameter = (options: StoredSecretOptions): Promise<string> =>
  read(options, {
    what: 'parameter',
    service: 'ssm',
    target: 'AmazonSSM.GetParameter',
    body: { Name: options.name, WithDecryption: true },
  });

/** Reads a secret of Secrets Manager, which has no quota that a thousand cold starts at once would reach. @throws like the above */
export const readManagedSecret = (options: StoredSecretOptions): Promise<string> =>
  read(options, {
    what: 'secret',
    service: 'secretsmanager',
    target: 'secretsmanager.GetSecretValue',
    body: { SecretId: options.name },
  });

interface Call {
  what: string;
  service: 'secretsmanager' | 'ssm';
  target: string;
  body: object;
}

async function read(
  { name, region, endpoint }: StoredSecretOptions,
  { what, service, target, body }: Call,
): Promise<string> {
  const url = new URL(endpoint ?? `https://${service}.${region}.${domainOf(region)}/`);
  const reply = await requestAws({ service, region }, url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    body: new TextEncoder().encode(JSON.stringify(body)),
    timeoutMs: TIMEOUT_MS,
  }).catch((failure: Error) => {
    throw new Throttled(`The ${what} ${name} could not be read: ${failure.message}`, { cause: failure });
  });
  const busy = await isBusy(reply);
  const answer = readAnswer(await reply.text());
  const secret = answer.Parameter?.Value ?? answer.SecretString;
  if (secret) return secret;
  const problem = `The ${what} ${name} could not be read: ${answer.__type ?? reply.status}`;
  throw busy ? new Throttled(problem) : new Error(problem);
}

interface Answer {
  Parameter?: { Value?: string };
  SecretString?: string;
  __type?: string;
}

/** Proxies between a function and AWS may answer in formats other than JSON. */
function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
