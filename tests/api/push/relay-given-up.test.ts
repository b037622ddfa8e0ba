import { expect, test } from 'vitest';
import { runJob } from '#functions/workers/run-job.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { attachRelay, Phone } from '#tests/harness/relay.ts';
import { startTestService } from '#tests/harness/service.ts';

test('A device waits if the operator removed the relay, until there is one again', async () => {
  const service = await startTestService();
  const relay = await attachRelay(service);
  const { owner, services } = service;
  const phone = new Phone();
  phone.deviceId = (await owner.post('/register_client_device')).body.device_id;
  const deviceNow = async () =>
    (await owner.register({ fetch_event_types: ['device'] })).snapshot.devices[phone.deviceId];
  await service.settle();
  const release = holdJobs(service);
  await owner.post('/mobile_push/register', phone.fields);
  const [job] = await listJobs(services.table);
  const { relay: _relay, ...others } = services;
  await expect(runJob(others, { jobId: job?.jobId ?? '', type: 'register-push-device' })).rejects.toThrow(
    'There is no relay any more',
  );
  expect(await deviceNow()).toMatchObject({
    pending_push_token_id: phone.tokenId,
    push_registration_error_code: null,
  });
  await release();
  expect(await deviceNow()).toMatchObject({ push_token_id: phone.tokenId, pending_push_token_id: null });
  expect(relay.received).toHaveLength(1);
  expect(takeErrors()).toEqual([]);
  await relay.stop();
  await service.stop();
});
