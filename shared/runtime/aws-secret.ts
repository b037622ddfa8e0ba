import { requestAws } from './aws-request.ts';

export interface SecretParameterOptions {
  name: string;
  region: string;
  /** Another address than the region's own. */
  endpoint?: string;
}

/** Reads the secret under which API keys are derived from its SecureString parameter. */
export async function readSecretParameter({ name, ...place }: SecretParameterOptions): Promise<string> {
  const answer = await requestAws<{ Parameter?: { Value?: string } }>({
    ...place,
    service: 'ssm',
    method: 'POST',
    target: 'AmazonSSM.GetParameter',
    body: { Name: name, WithDecryption: true },
  }).catch((failure: Error) => {
    throw new Error(`The parameter ${name} could not be read: ${failure.name}`, { cause: failure });
  });
  const secret = answer.Parameter?.Value;
  if (!secret) throw new Error(`The parameter ${name} is empty`);
  return secret;
}
