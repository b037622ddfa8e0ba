import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { startSmtpServer, type TestSmtpServer } from './smtp-server.ts';

const SENDER = 'Kiln <chat@example.org>';
const RETRY_MS = 200_000;
const folder = temporaryFolder('smtp-mail');

let server: TestSmtpServer;
let service: TestService;
let count = 0;
const start = () =>
  startTestService(
    { mailSender: SENDER },
    { smtpUrl: server.url, dataDir: join(folder, String(count)), secret: 'the secret of both starts' },
  );
beforeEach(async () => {
  count++;
  server = await startSmtpServer();
  service = await start();
});
afterEach(async () => {
  await service.stop();
  await server.stop();
});

const invite = async (email: string): Promise<void> => {
  const { status } = await service.owner.post('/invites', { invitee_emails: email, stream_ids: [] });
  expect(status).toBe(200);
  await service.settle();
};
const figures = async () => (await fetch(`${service.url}/metrics`)).text();

test('A mail reaches an SMTP server, from the configured sender', async () => {
  await invite('ada@example.com');
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toMatch(/^From: Kiln <chat@example.org>$/m);
  expect(server.mails[0]).toMatch(/^To: ada@example.com$/m);
  expect(await figures()).toContain('team_chat_mails_total{result="sent"} 1');
});

test('A mail waits in the table while the server is down, also across a restart of the service', async () => {
  const { port } = new URL(server.url);
  await server.stop();
  await invite('bo@example.com');
  expect(takeLogged().map(({ message }) => message)).toContain(
    'The mail server failed; the mail is tried again',
  );
  expect(await figures()).toMatch(/^team_chat_mails_total\{result="failed"\} [1-9]/m);
  await service.stop();
  server = await startSmtpServer(Number(port));
  service = await start();
  service.advance(RETRY_MS);
  await sweep(service.services);
  await service.settle();
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toMatch(/^To: bo@example.com$/m);
});

test('A permanently refused recipient blocks nothing, and a temporarily refused one is retried', async () => {
  server.recipientReply = '550 No such mailbox';
  await invite('nobody@example.com');
  expect(takeLogged().map(({ message }) => message)).toContain('A mail was refused');
  server.recipientReply = '451 Try again later';
  await invite('later@example.com');
  takeLogged();
  expect(server.mails).toEqual([]);
  server.recipientReply = '250 Accepted';
  service.advance(RETRY_MS);
  await sweep(service.services);
  await service.settle();
  expect(server.mails.map((mail) => /^To: (.*)$/m.exec(mail)?.[1])).toEqual(['later@example.com']);
});
