import { expect, test } from 'vitest';
import { describeMail, openOutbox } from '#infra/local/outbox.ts';
import { systemClock } from '#shared/runtime/clock.ts';

test('the terminal tells of each mail that is not delivered, with the link that it brings', async () => {
  const told: string[] = [];
  const outbox = await openOutbox({
    dataDir: undefined,
    sender: 'Team Chat <noreply@localhost>',
    clock: systemClock,
    onMail: (message) => told.push(describeMail(message)),
  });
  const mail = { to: 'bo@example.com', subject: 'Confirm your address', html: '<p>…</p>' };
  await outbox.send({
    ...mail,
    text: 'To join, open this link:\n\nhttp://127.0.0.1:9991/join/k/\n\nIt ends soon.',
  });
  await outbox.send({ ...mail, subject: 'No\nlink', text: 'Nothing to open.' });
  await outbox.close();
  expect(told).toEqual([
    '\nMail to bo@example.com: Confirm your address\n  http://127.0.0.1:9991/join/k/',
    '\nMail to bo@example.com: No link',
  ]);
});
