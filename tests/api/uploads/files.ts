import { expect } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Reply, RequestOptions } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';

export interface TestFile {
  name: string;
  type?: string;
  content?: string | Uint8Array;
}

/** A form with these files. */
export function formOf(...files: TestFile[]): FormData {
  const form = new FormData();
  for (const [index, { name, type = '', content = 'hello' }] of files.entries())
    form.append(`file${index}`, new Blob([content as string], { type }), name);
  return form;
}

export const tryUpload = (client: Client, file: TestFile, options: RequestOptions = {}): Promise<Reply> =>
  client.post('/user_uploads', {}, { rawBody: formOf(file), ...options });

/** Uploads a file and returns its address. */
export async function upload(
  client: Client,
  name = 'notes.txt',
  rest: Omit<TestFile, 'name'> = {},
): Promise<string> {
  const { status, body } = await tryUpload(client, { name, ...rest });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.url;
}

/** The reply to a user at an address below that of the service; without an account if no client is given. */
export const getAt = (
  url: string,
  client: Client | undefined,
  serviceUrl = client?.url ?? '',
): Promise<Reply> =>
  sendTo(serviceUrl + url, client ? { headers: { authorization: client.authorization } } : {});

export const textOf = ({ body }: Reply): string => Buffer.from(body as Uint8Array).toString();

/** The answer for files that do not exist, and for files that the caller may not read. */
export const expectNoFile = (reply: Reply): void =>
  expectRefusal(reply, 'This file does not exist or has been deleted.', { status: 404 });

export async function deleteFile(owner: Client, url: string): Promise<void> {
  await owner.delete(`/attachments/${(await attachmentAt(owner, url)).id}`);
}

/** The uploads of a client and the space that all uploads use. */
export const listFiles = async (client: Client) => (await client.get('/attachments')).body;

/** The entry of a file for its owner. */
export async function attachmentAt(owner: Client, url: string) {
  const pathId = url.slice('/user_uploads/'.length);
  return (await listFiles(owner)).attachments.find(({ path_id }: { path_id: string }) => path_id === pathId);
}
