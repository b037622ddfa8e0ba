import { Throttled } from '#shared/table/table.ts';
import { domainOf } from './aws-domain.ts';
import { isBusy, requestAws } from './aws-request.ts';

export interface SecretParameterOptions {
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
export async function readSecretParameter(options: SecretParameterOptions): Promise<string> {
  const { name, region } = options;
  const url = new URL(options.endpoint ?? `https://ssm.${region}.${domainOf(region)}/`);
  const reply = await requestAws({ service: 'ssm', region }, url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' },
    body: new TextEncoder().encode(JSON.stringify({ Name: name, WithDecryption: true })),
    timeoutMs: TIMEOUT_MS,
  }).catch((failure: Error) => {
    throw new Throttled(`The parameter ${name} could not be read: ${failure.message}`, { cause: failure });
  });
  const busy = await isBusy(reply);
  const answer = readAnswer(await reply.text());
  const secret = answer.Parameter?.Value;
  if (secret) return secret;
  const problem = `The parameter ${name} could not be read: ${answer.__type ?? reply.status}`;
  throw busy ? new Throttled(problem) : new Error(problem);
}

interface Answer {
  Parameter?: { Value?: string };
  __type?: string;
}

/** Proxies between a function and SSM may answer in formats other than JSON. */
function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
