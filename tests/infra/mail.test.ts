import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { createAwsMail } from '#shared/adapters/aws-mail.ts';
import { CREDENTIALS, stubEnvironment } from '#tests/harness/environment.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { readMails } from '#tests/harness/mails.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const MESSAGE = {
  to: 'ada@example.com',
  subject: 'Grüße 👋',
  text: `Hello = ${'long '.repeat(40)}\n\n${'x'.repeat(200)} ☃\n`,
  html: '<p>Hello &amp; welcome</p>',
};

describe('SES', () => {
  let endpoint: string;
  // biome-ignore lint/suspicious/noExplicitAny: a request of the SDK
  let bodies: any[];
  let answers: { status: number; type: string }[];
  beforeAll(async () => {
    stubEnvironment({ AWS_REGION: 'eu-west-1', ...CREDENTIALS });
    const server = await serveLocally(async (request, response) => {
      bodies.push({ path: request.url, ...((await json(request)) as object) });
      const { status = 200, type } = answers.shift() ?? {};
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(type && { 'x-amzn-errortype': type }),
      });
      response.end(JSON.stringify(type ? { message: 'As the test wants it' } : { MessageId: 'one' }));
    });
    endpoint = server.url;
  });
  beforeEach(() => {
    bodies = [];
    answers = [];
  });
  const send = () =>
    createAwsMail({ sender: 'Chat <chat@example.org>', configurationSet: 'one-set', endpoint }).send(MESSAGE);

  it('Gets sender, recipient, subject and both texts', async () => {
    await send();
    expect(bodies).toEqual([
      {
        path: '/v2/email/outbound-emails',
        FromEmailAddress: 'Chat <chat@example.org>',
        ConfigurationSetName: 'one-set',
        Destination: { ToAddresses: [MESSAGE.to] },
        Content: {
          Simple: {
            Subject: { Data: MESSAGE.subject, Charset: 'UTF-8' },
            Body: {
              Text: { Data: MESSAGE.text, Charset: 'UTF-8' },
              Html: { Data: MESSAGE.html, Charset: 'UTF-8' },
            },
          },
        },
      },
    ]);
  });

  it.each(['MessageRejected', 'BadRequestException'])('Refuses a mail permanently by %s', async (type) => {
    answers.push({ status: 400, type });
    expect(await send()).toMatchObject({ refusedBecause: expect.any(String) });
    expect(bodies).toHaveLength(1);
  });

  it.each(['AccountSuspendedException', 'MailFromDomainNotVerifiedException', 'SendingPausedException'])(
    'May accept the mail later after %s',
    async (type) => {
      answers.push({ status: 400, type });
      await expect(send()).rejects.toThrow();
    },
  );

  it('Gets a second request at once if it had too many mails', async () => {
    answers.push({ status: 429, type: 'TooManyRequestsException' });
    await send();
    expect(bodies).toHaveLength(2);
  });
});

describe('The outbox', async () => {
  const service = await startTestService();

  it('Stores each mail as a file that only its owner reads', async () => {
    await service.services.mail.send(MESSAGE);
    const [mail] = readMails(service);
    expect(mail).toMatchObject({
      to: MESSAGE.to,
      from: 'Team Chat <noreply@localhost>',
      subject: MESSAGE.subject,
    });
    expect(mail?.content).toContain(MESSAGE.text);
    expect(mail?.content).toContain(MESSAGE.html);
    const { folder = '' } = service.services.mail;
    const [file = ''] = readdirSync(folder);
    expect(file).toMatch(/\.eml$/);
    expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  });

  it('Lets no name or address add a header', async () => {
    const subject = 'One\r\nBcc: eve@example.com';
    await service.services.mail.send({ ...MESSAGE, subject });
    expect(readMails(service).at(-1)?.content).not.toMatch(/^Bcc:/m);
  });
});

describe('A refused mail', () => {
  const invite = (service: TestService, invitee_emails: string) =>
    service.owner.post('/invites', { invitee_emails, stream_ids: [] });

  it('Gets given up if it is permanent, and the others are sent', async () => {
    const service = await startTestService();
    const { mail } = service.services;
    const send = mail.send.bind(mail);
    mail.send = async (message) =>
      message.to.startsWith('refused') ? { refusedBecause: 'bad address' } : send(message);
    await invite(service, 'a@example.com,refused@example.com,b@example.com');
    await service.settle();
    expect(readMails(service).map(({ to }) => to)).toEqual(['a@example.com', 'b@example.com']);
    service.advance(3_600_000);
    await sweep(service.services);
    await service.settle();
    expect(readMails(service)).toHaveLength(2);
    expect(takeErrors()).toEqual(['A mail was refused']);
  });

  it('Gets sent by the next sweep if it is temporary', async () => {
    const service = await startTestService();
    const { mail, clock } = service.services;
    const send = mail.send.bind(mail);
    mail.send = () => Promise.reject(new Error('too many mails'));
    const sleep = clock.sleep.bind(clock);
    clock.sleep = (delayMs, signal) => sleep(delayMs < 60_000 ? 0 : delayMs, signal);
    await invite(service, 'a@example.com');
    await service.settle();
    expect(readMails(service)).toEqual([]);
    expect(takeErrors()).toEqual(Array(6).fill('A job failed'));
    mail.send = send;
    service.advance(600_000);
    await sweep(service.services);
    await service.settle();
    expect(readMails(service).map(({ to }) => to)).toEqual(['a@example.com']);
  });
});
