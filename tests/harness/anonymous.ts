import type { Reply } from './client.ts';

/** A request of nobody in particular: no credentials, no encoding and no checks beyond those that a test makes. */
export async function send(serviceUrl: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(`${serviceUrl}/api/v1${path}`, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** A form-encoded POST without credentials. */
export const sendForm = (serviceUrl: string, path: string, form: Record<string, string>): Promise<Reply> =>
  send(serviceUrl, path, { method: 'POST', body: new URLSearchParams(form) });

export const basic = (email: string, apiKey: string): string =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
