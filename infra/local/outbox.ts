import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Mail } from '#shared/runtime/services.ts';

/** The folder in which mails end up instead of being sent, one `.eml` file each. */
export interface Outbox extends Mail {
  folder: string;
  /** Removes what a service that keeps nothing has written. */
  close(): Promise<void>;
}

export interface OutboxOptions {
  /** The folder that keeps the data; without one the outbox ends with the service. */
  dataDir: string | undefined;
  sender: string;
  clock: Clock;
}

export async function openOutbox({ dataDir, sender, clock }: OutboxOptions): Promise<Outbox> {
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
      // Whoever reads it joins in somebody else's place.
      await writeFile(join(folder, name), bytes as Buffer, { flag: 'wx', mode: 0o600 });
      return 'sent';
    },
    async close() {
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
