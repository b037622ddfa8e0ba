import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestService } from './service.ts';

/** A mail as its receiver reads it. */
export interface ReceivedMail {
  to: string;
  from: string;
  subject: string;
  /** The whole of it, encodings undone. */
  content: string;
}

/** Every mail that the service has sent, the oldest first. */
export function readMails({ services }: TestService): ReceivedMail[] {
  const { folder = '' } = services.mail;
  return readdirSync(folder)
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((file) => toMail(readFileSync(join(folder, file), 'utf8')));
}

const numberOf = (file: string): number => Number(/-(\d+)\.eml$/.exec(file)?.[1]);

export const mailsTo = (service: TestService, email: string): ReceivedMail[] =>
  readMails(service).filter(({ to }) => to === email);

/** The key of the link in the newest mail to an address. */
export function keyMailedTo(service: TestService, email: string): string {
  const key = keyOf(mailsTo(service, email).at(-1)?.content ?? '');
  if (key === undefined) throw new Error(`Nothing with a key was mailed to ${email}`);
  return key;
}

/** The key by which the person with an address chooses another password, in the newest mail there. */
export function resetKeyMailedTo(service: TestService, email: string): string {
  const key = resetKeyOf(mailsTo(service, email).at(-1)?.content ?? '');
  if (key === undefined) throw new Error(`No link for another password was mailed to ${email}`);
  return key;
}

export const resetKeyOf = (text: string): string | undefined =>
  /\/accounts\/password\/reset\/([A-Za-z0-9]+)\//.exec(text)?.[1];

/** The key by which a person confirms a new address, in the newest mail there. */
export const addressKeyMailedTo = (service: TestService, email: string): string | undefined =>
  addressKeyOf(mailsTo(service, email).at(-1)?.content ?? '');

export const addressKeyOf = (text: string): string | undefined =>
  /\/accounts\/confirm_new_email\/([\w-]+)\//.exec(text)?.[1];

/** The key at the end of a link. */
export const keyOf = (text: string): string | undefined => /\/join\/([A-Za-z0-9]+)\//.exec(text)?.[1];

function toMail(source: string): ReceivedMail {
  const head = source.slice(0, source.indexOf('\n\n')).replaceAll(/\n[ \t]+/g, ' ');
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  return {
    to: header('To'),
    from: header('From'),
    subject: decodeWords(header('Subject')),
    content: decodeQuoted(source.replaceAll('=\n', '')),
  };
}

const decodeQuoted = (text: string): string =>
  text.replaceAll(/(=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());

const decodeWords = (text: string): string =>
  text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_match, word: string) => decodeQuoted(word.replaceAll('_', ' ')))
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=/gi, (_match, word: string) => Buffer.from(word, 'base64').toString());
