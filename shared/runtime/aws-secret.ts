import { AwsClient } from 'aws4fetch';

export interface SecretParameterOptions {
  name: string;
  region: string;
  endpoint?: string;
}

/**
 * Reads the secret under which API keys are derived from its SecureString parameter. One signed request: the SDK's
 * client for this service would be half of a function's bundle.
 */
export async function readSecretParameter(options: SecretParameterOptions): Promise<string> {
  const client = new AwsClient({
    accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
    ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
    service: 'ssm',
    region: options.region,
    retries: 3,
  });
  const reply = await client.fetch(options.endpoint ?? `https://ssm.${options.region}.amazonaws.com/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': 'AmazonSSM.GetParameter' },
    body: JSON.stringify({ Name: options.name, WithDecryption: true }),
  });
  const answer = (await reply.json()) as { Parameter?: { Value?: string }; __type?: string };
  const secret = answer.Parameter?.Value;
  if (!secret)
    throw new Error(`The parameter ${options.name} could not be read: ${answer.__type ?? reply.status}`);
  return secret;
}
