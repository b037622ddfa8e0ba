import { afterEach, describe, expect, test } from 'vitest';
import { runJob } from '#functions/workers/run-job.ts';
import { registerPushDevice } from '#functions/workers/steps/register-push-device.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { expectNoErrorBut, takeErrors } from '#tests/harness/logged-lines.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { attachRelay } from '#tests/harness/relay.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { deviceOf, newPhone, register, updateOf } from './registrations.ts';

const service = await startTestService();
const relay = await attachRelay(service);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterEach(() => {
  relay.trouble = undefined;
});

const findJob = async () =>
  (await listJobs(service.services.table)).find(({ type }) => type === 'register-push-device');

describe('A failing relay', () => {
  test.each([
    ['answers 500', { status: 500 }],
    ['does not know us', { status: 401, body: { code: 'INVALID_ZULIP_SERVER' } }],
    ['talks nonsense', { status: 200, body: 'welcome' }],
    ['hangs', 'hang'],
    ['hangs up', 'hang up'],
  ] as const)('Gets another request when it %s', async (_what, trouble) => {
    const phone = await newPhone(ada);
    relay.trouble = trouble;
    await register(ada, phone.fields);
    expect(await deviceOf(ada, phone)).toMatchObject({ pending_push_token_id: phone.tokenId });
    expectRefusal(await register(ada, phone.fields), 'A registration for the device already in progress.');
    relay.trouble = undefined;
    await service.settle();
    expect(await deviceOf(ada, phone)).toMatchObject({ push_token_id: phone.tokenId });
    expectNoErrorBut('A job failed');
  });

  test.each(['INVALID_BOUNCER_PUBLIC_KEY', 'INVALID_ENCRYPTED_PUSH_REGISTRATION', 'REQUEST_EXPIRED'])(
    'Gets no other data after %s; the client gets the error, and may try again',
    async (code) => {
      const phone = await newPhone(ada);
      relay.trouble = { status: 400, body: { result: 'error', msg: 'No', code } };
      const queue = await ada.register();
      await register(ada, phone.fields);
      await service.settle();
      expect((await queue.drain()).at(-1)).toEqual(updateOf(phone, { push_registration_error_code: code }));
      expect(await deviceOf(ada, phone)).toMatchObject({ push_token_id: null });
      relay.trouble = undefined;
      await expectConsistentSnapshot(service, [ada, bo, service.owner], () => register(ada, phone.fields));
      const accepted = { push_token_id: phone.tokenId, push_registration_error_code: null };
      expect(await deviceOf(ada, phone)).toMatchObject(accepted);
    },
  );

  test('Gets no request for a registration of yesterday', async () => {
    const phone = await newPhone(ada);
    relay.trouble = { status: 500 };
    await register(ada, phone.fields);
    service.advance(24 * 3_600_000 + 5_000);
    await service.settle();
    expect(await deviceOf(ada, phone)).toMatchObject({ push_registration_error_code: 'REQUEST_EXPIRED' });
    expectNoErrorBut('A job failed');
  });

  test.each([
    ['took a device', undefined],
    ['refused a device', { status: 400, body: { result: 'error', msg: 'No', code: 'REQUEST_EXPIRED' } }],
  ])('Gets no second request from a late run of the job if it %s', async (_what, trouble) => {
    const phone = await newPhone(ada);
    relay.trouble = trouble;
    const release = holdJobs(service);
    await register(ada, phone.fields);
    const job = await findJob();
    await release();
    const askedBefore = relay.received.length;
    expect(await registerPushDevice(service.services, job?.payload as never)).toBeUndefined();
    expect(relay.received).toHaveLength(askedBefore);
  });

  test('Gets no request for a device that its user has removed meanwhile', async () => {
    const phone = await newPhone(ada);
    const release = holdJobs(service);
    await register(ada, phone.fields);
    expect((await ada.post('/remove_client_device', { device_id: phone.deviceId })).status).toBe(200);
    await release();
    expect(relay.received.filter(({ body }) => body.token_id === phone.tokenId)).toEqual([]);
  });

  test('Keeps a device waiting if the operator removed it, until there is one again', async () => {
    const phone = await newPhone(ada);
    const release = holdJobs(service);
    await register(ada, phone.fields);
    const job = await findJob();
    const { relay: _relay, ...others } = service.services;
    const run = runJob(others, { jobId: job?.jobId ?? '', type: 'register-push-device' });
    await expect(run).rejects.toThrow('There is no relay any more');
    const waiting = { pending_push_token_id: phone.tokenId, push_registration_error_code: null };
    expect(await deviceOf(ada, phone)).toMatchObject(waiting);
    await release();
    const accepted = { push_token_id: phone.tokenId, pending_push_token_id: null };
    expect(await deviceOf(ada, phone)).toMatchObject(accepted);
    expect(relay.received.filter(({ body }) => body.token_id === phone.tokenId)).toHaveLength(1);
    expect(takeErrors()).toEqual([]);
  });

  test('Counts as missing if no operator named it, and nothing is stored', async () => {
    const other = await startTestService();
    const phone = await newPhone(other.owner);
    const reply = await register(other.owner, phone.fields);
    expectRefusal(reply, 'Server is not configured to use push notification service.');
    expect(await deviceOf(other.owner, phone)).toMatchObject({ push_key_id: null });
  });
});
