import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

export interface SecretParameterOptions {
  name: string;
  region: string;
  /** Another address than the region's own. */
  endpoint?: string;
}

const TIMEOUT_MS = 5_000;

/**
 * Reads the secret under which API keys are derived from its SecureString parameter. One request, signed by the
 * signer that the other clients bring along: the SDK's client for this service would be half of a function's bundle.
 */
export async function readSecretParameter(options: SecretParameterOptions): Promise<string> {
  const url = new URL(options.endpoint ?? `https://ssm.${options.region}.amazonaws.com/`);
  const request = {
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: {},
    headers: {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AmazonSSM.GetParameter',
    },
    body: JSON.stringify({ Name: options.name, WithDecryption: true }),
  };
  const signed = await signer(options.region).sign(request);
  const reply = await fetch(url, {
    method: signed.method,
    headers: signed.headers,
    body: request.body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await reply.json()) as { Parameter?: { Value?: string }; __type?: string };
  const secret = answer.Parameter?.Value;
  if (!secret)
    throw new Error(`The parameter ${options.name} could not be read: ${answer.__type ?? reply.status}`);
  return secret;
}

const signer = (region: string): SignatureV4 =>
  new SignatureV4({
    service: 'ssm',
    region,
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
      ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
    },
    sha256: Sha256,
  });
