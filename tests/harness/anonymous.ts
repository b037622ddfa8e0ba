import type { Reply } from './client.ts';

/** An anonymous request: no credentials, no encoding and no checks beyond those that a test makes. */
export const send = (serviceUrl: string, path: string, init: RequestInit = {}): Promise<Reply> =>
  sendTo(`${serviceUrl}/api/v1${path}`, init);

/** The same for a whole address. Follows no redirection, and leaves what is no JSON as bytes. */
export async function sendTo(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body = isJson && bytes.length > 0 ? JSON.parse(Buffer.from(bytes).toString()) : bytes;
  return { status: response.status, headers: response.headers, body: bytes.length === 0 ? undefined : body };
}

/** A form-encoded POST without credentials. */
export const sendForm = (serviceUrl: string, path: string, form: Record<string, string>): Promise<Reply> =>
  send(serviceUrl, path, { method: 'POST', body: new URLSearchParams(form) });

export const basic = (email: string, apiKey: string): string =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
