import { expect, test } from 'vitest';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Reply } from '#tests/harness/client.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService();

const requestReset = (email: string, to = service): Promise<Reply> =>
  sendForm(to.url, '/password_reset', { email });

test('The reset mail goes to the account, in any letter case, and has a link of the organization', async () => {
  const ada = await service.createUser('Ada');
  expect((await requestReset(` ${ada.email.toUpperCase()} `)).body).toEqual({ result: 'success', msg: '' });
  await service.settle();
  const [mail, ...others] = mailsTo(service, ada.email);
  expect(others).toEqual([]);
  expect(mail?.content).toContain(`${service.url}/accounts/password/reset/`);
});

test('An address without an account gets the same reply at the same cost, and no mail', async () => {
  const ada = await service.createUser('Ada');
  const costOf = (email: string) =>
    unitsOf(service, async () =>
      expect((await requestReset(email)).body).toEqual({ result: 'success', msg: '' }),
    );
  const { publish } = service.services.bus;
  service.services.bus.publish = async () => undefined;
  const withAccount = await costOf(ada.email);
  expect(await costOf('nobody@example.com')).toEqual(withAccount);
  service.services.bus.publish = publish;
  await requestReset('nobody@example.com');
  await service.settle();
  expect(mailsTo(service, 'nobody@example.com')).toEqual([]);
});

test('Deactivated accounts and bots get no mail', async () => {
  const gone = await service.createUser('Gone');
  const robot = await service.createUser('Robot');
  await service.makeBot(robot, service.owner);
  await service.deactivate(gone);
  const before = mailsTo(service, gone.email).length;
  for (const { email } of [gone, robot]) expect((await requestReset(email)).status).toBe(200);
  await service.settle();
  expect(mailsTo(service, gone.email)).toHaveLength(before);
  expect(mailsTo(service, robot.email)).toEqual([]);
});

test('An address gets a limited number of mails a day, known or not', async () => {
  const ada = await service.createUser('Ada');
  for (const email of [ada.email, 'unknown@example.com']) {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await requestReset(email)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  }
});

test('A caller can request a limited number of mails a day', async () => {
  const plenty = { limit: 100, windowSeconds: 3600 };
  const confirmationsFrom = { limit: 2, windowSeconds: 3600 };
  const strict = await startTestService({
    mailLimits: { ...service.services.config.mailLimits, confirmationsFrom, confirmationsTo: plenty },
  });
  const statuses: number[] = [];
  for (let n = 0; n < 3; n++) statuses.push((await requestReset(`a${n}@example.com`, strict)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('A service without mail answers an error', async () => {
  const silent = await startTestService({ mailSender: undefined });
  expectRefusal(await requestReset('a@example.com', silent), 'This service is not set up to send e-mail.');
});

test('A text that is no address is refused', async () => {
  expect((await requestReset('nonsense')).status).toBe(400);
});
