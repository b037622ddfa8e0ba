import { beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { roles } from '#shared/domain/users/user.ts';
import { getExports } from '#shared/store/exports.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import { exportRecordOf } from '#tests/harness/archive.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const admin = await service.createUser('Admin', roles.administrator);
const member = await service.createUser('Member');
await service.settle();
beforeEach(() => service.advance(7 * DAY_MS));

const make = async (): Promise<number> => {
  const { body } = await admin.post('/export/realm');
  await service.settle();
  return body.id;
};
const fileOf = async (id: number): Promise<string> => {
  const { exports } = await getExports(service.services.table);
  return exports.find(({ exportId }) => exportId === id)?.file ?? '';
};

describe('Deleting an export', () => {
  test(
    'Deletes its archive permanently; the export stays in the list',
    proves('list-exports.20'),
    async () => {
      const id = await make();
      const { export_url: address } = await exportRecordOf(admin, id);
      const file = await fileOf(id);
      expect(await service.services.files.find(file)).toBeDefined();
      expect((await admin.delete(`/export/realm/${id}`)).body).toEqual({ result: 'success', msg: '' });
      await service.settle();
      expect(await service.services.files.find(file)).toBeUndefined();
      expect((await fetch(address)).status).toBe(404);
      expect(await exportRecordOf(admin, id)).toMatchObject({
        deleted_timestamp: expect.any(Number),
        export_url: null,
      });
    },
  );

  test('Notifies administrators, and changes no snapshot', async () => {
    const id = await make();
    const [ofAdmin, ofMember] = [await service.owner.listen(), await member.listen()];
    await expectConsistentSnapshot(service, [service.owner, admin, member], () =>
      admin.delete(`/export/realm/${id}`),
    );
    expect(await ofAdmin.drain()).toMatchObject([
      {
        type: 'realm_export',
        exports: expect.arrayContaining([expect.objectContaining({ id, export_url: null })]),
      },
    ]);
    expect(await ofMember.drain()).toEqual([]);
  });

  test.each([
    ['loses the role', roles.owner, roles.administrator, false],
    ['becomes one', roles.administrator, roles.owner, true],
  ])('Shows addresses for owners to a person who %s right before: %o', async (_what, from, to, isShown) => {
    const { owner } = service;
    await owner.patch('/realm', { owner_full_content_access: true });
    await owner.post('/export/realm', { export_type: 'full_without_consent' });
    const id = await make();
    const person = await service.createUser('Person', from);
    const events = await person.listen({ event_types: ['realm_export'] });
    const turn = () => owner.patch(`/users/${person.userId}`, { role: to });
    const turned = interrupt(service, { increment: reads(organizationKeys.counter('log')) }, turn);
    await owner.delete(`/export/realm/${id}`);
    expect(turned.hasHappened()).toBe(true);
    const shown = (await events.drain())
      .flatMap(({ exports }) => exports)
      .filter((one) => one.export_type === 'full_without_consent' && one.export_url !== null);
    expect(shown.length > 0).toBe(isShown);
  });

  test('Refuses an export that is missing, deleted or in progress', async () => {
    const id = await make();
    expectRefusal(await admin.delete(`/export/realm/${id + 1}`), 'Invalid data export ID');
    await admin.delete(`/export/realm/${id}`);
    expectRefusal(await admin.delete(`/export/realm/${id}`), 'Export already deleted');
    const { body } = await admin.post('/export/realm');
    expectRefusal(await admin.delete(`/export/realm/${body.id}`), 'Export still in progress');
    await service.settle();
  });
});

describe('An archive', () => {
  test('Gets deleted after 90 days', async () => {
    const id = await make();
    const file = await fileOf(id);
    await service.settle();
    service.advance(89 * DAY_MS);
    await sweep(service.services);
    // The archives of earlier tests are deleted now; their jobs would be a day late after the next jump.
    await service.settle();
    expect((await exportRecordOf(admin, id)).export_url).toEqual(expect.any(String));
    service.advance(DAY_MS);
    await sweep(service.services);
    await service.settle();
    expect(await exportRecordOf(admin, id)).toMatchObject({
      deleted_timestamp: expect.any(Number),
      export_url: null,
    });
    expect(await service.services.files.find(file)).toBeUndefined();
  });
});
