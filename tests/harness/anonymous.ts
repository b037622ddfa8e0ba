import { endpoints } from '#functions/routes.ts';
import type { Reply } from './client.ts';
import { checkReply } from './declared/replies.ts';
import { exchange, type Question } from './exchange.ts';

/** An anonymous request: no credentials, no encoding and no checks beyond the test's own. */
export const send = (serviceUrl: string, path: string, question: Question = {}): Promise<Reply> =>
  sendTo(`${serviceUrl}/api/v1${path}`, question);

/** The same for a whole address. Follows no redirection, and returns a body that is no JSON as bytes. */
export async function sendTo(url: string, question: Question = {}): Promise<Reply> {
  const { status, headers, bytes } = await exchange(url, question);
  if (bytes.length === 0) return { status, headers, body: undefined };
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return { status, headers, body: isJson ? JSON.parse(bytes.toString()) : new Uint8Array(bytes) };
}

/** A form-encoded POST without credentials. A success is checked against the endpoint's declaration. */
export async function sendForm(
  serviceUrl: string,
  path: string,
  form: Record<string, string>,
): Promise<Reply> {
  const reply = await send(serviceUrl, path, { method: 'POST', body: new URLSearchParams(form) });
  if (reply.status === 200) checkReply(endpoints, 'POST', path, reply);
  return reply;
}

export const basic = (email: string, apiKey: string): string =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
