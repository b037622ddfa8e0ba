import { readdirSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeMail, openOutbox } from '#infra/local/outbox.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';

test('The terminal prints each mail that is not delivered, with its link', async () => {
  const printed: string[] = [];
  const outbox = await openOutbox({
    dataDir: undefined,
    sender: 'Team Chat <noreply@localhost>',
    clock: systemClock,
    onMail: (message) => printed.push(describeMail(message)),
  });
  const mail = { to: 'bo@example.com', subject: 'Confirm your address', html: '<p>…</p>' };
  await outbox.send({
    ...mail,
    text: 'To join, open this link:\n\nhttp://127.0.0.1:9991/join/k/\n\nIt ends soon.',
  });
  await outbox.send({ ...mail, subject: 'No\nlink', text: 'Nothing to open.' });
  await outbox.close();
  expect(printed).toEqual([
    '\nMail to bo@example.com: Confirm your address\n  http://127.0.0.1:9991/join/k/',
    '\nMail to bo@example.com: No link',
  ]);
});

const MAIL = { to: 'bo@example.com', subject: 'Hello', html: '<p>…</p>', text: 'Hello.' };
const AT = '2026-05-04T10:11:12.345Z';
const clock = { ...systemClock, nowMs: () => Date.parse(AT) };
const sender = 'Team Chat <noreply@localhost>';

test('Mails are private files in the data folder, one each, by their time, and stay when the service ends', async () => {
  const dataDir = temporaryFolder('outbox');
  const outbox = await openOutbox({ dataDir, sender, clock });
  expect(outbox.folder).toBe(join(dataDir, 'outbox'));
  expect([await outbox.send(MAIL), await outbox.send(MAIL)]).toEqual(['sent', 'sent']);
  await outbox.close();
  const names = (await readdir(outbox.folder)).sort();
  const prefix = `2026-05-04T10-11-12-345Z-${process.pid}`;
  expect(names).toEqual([`${prefix}-1.eml`, `${prefix}-2.eml`]);
  const path = join(outbox.folder, names[0] ?? '');
  expect([(await stat(path)).mode & 0o777, (await stat(outbox.folder)).mode & 0o777]).toEqual([0o600, 0o700]);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(`From: ${sender}\n`);
  expect(text).toContain('To: bo@example.com\n');
  expect(text).toContain('Date: Mon, 04 May 2026 10:11:12 +0000\n');
  expect(text).not.toContain('\r');
});

test('Mails of a service without a data folder are gone when it ends', async () => {
  const outbox = await openOutbox({ dataDir: undefined, sender, clock });
  await outbox.send(MAIL);
  expect(await readdir(outbox.folder)).toHaveLength(1);
  await outbox.close();
  await expect(stat(outbox.folder)).rejects.toThrow('ENOENT');
  await outbox.close();
});

test('A mail is printed once it can be read', async () => {
  const found: string[][] = [];
  const outbox = await openOutbox({
    dataDir: undefined,
    sender,
    clock,
    onMail: () => found.push(readdirSync(outbox.folder)),
  });
  await outbox.send(MAIL);
  expect(found).toEqual([[expect.stringMatching(/-1\.eml$/)]]);
  await outbox.close();
});
