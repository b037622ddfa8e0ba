import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Mail, MailMessage } from '#shared/runtime/services.ts';

/** Writes mails to a folder instead of sending them, one `.eml` file each. */
export interface Outbox extends Mail {
  folder: string;
  /** Deletes the mails of a service without data folder. */
  close(): Promise<void>;
}

export interface OutboxOptions {
  /** The data folder; without one the outbox is deleted with the service. */
  dataDir: string | undefined;
  sender: string;
  clock: Clock;
  /** Called with each mail that was written. */
  onMail?: ((message: MailMessage) => void) | undefined;
}

export async function openOutbox({ dataDir, sender, clock, onMail }: OutboxOptions): Promise<Outbox> {
  const folder =
    dataDir === undefined ? await mkdtemp(join(tmpdir(), 'team-chat-outbox-')) : join(dataDir, 'outbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  let count = 0;
  return {
    folder,
    async send(message) {
      const date = new Date(clock.nowMs());
      const { message: bytes } = await transport.sendMail({ from: sender, date, ...message });
      const name = `${date.toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}-${++count}.eml`;
      // The mail's link would let another reader join in its recipient's place.
      await writeFile(join(folder, name), bytes as Buffer, { flag: 'wx', mode: 0o600 });
      onMail?.(message);
      return 'sent';
    },
    async close() {
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing delivers mails here, so the terminal shows each, with the link that it brings. */
export function describeMail({ to, subject, text }: MailMessage): string {
  const [link] = /https?:\/\/\S+/.exec(text) ?? [];
  const heading = `Mail to ${to}: ${subject}`.replaceAll(/\p{Cc}/gu, ' ');
  return `\n${heading}${link ? `\n  ${link}` : ''}`;
}
