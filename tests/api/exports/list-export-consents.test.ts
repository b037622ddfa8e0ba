import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const admin = await service.createUser('Admin', roles.administrator);
const member = await service.createUser('Member');
const gone = await service.createUser('Gone');
await gone.patch('/settings', { allow_private_data_export: true });
await service.deactivate(gone);

describe('The list of consents', () => {
  test('Has every active person with their consent and the visibility of their address', async () => {
    const list = async () => (await admin.get('/export/realm/consents')).body.export_consents;
    const everyone = (consented: boolean, visibility: number) =>
      [service.owner, admin, member].map(({ userId }) => ({
        user_id: userId,
        consented: userId === member.userId && consented,
        email_address_visibility: userId === member.userId ? visibility : 1,
      }));
    expect(await list()).toEqual(everyone(false, 1));
    await member.patch('/settings', { allow_private_data_export: true, email_address_visibility: 3 });
    expect(await list()).toEqual(everyone(true, 3));
    await member.patch('/settings', { allow_private_data_export: false });
    expect(await list()).toEqual(everyone(false, 3));
  });

  test('Costs half a read unit for each person (a recent consent comes by an event)', async () => {
    const costOf = async () => {
      await service.settle();
      service.meter.reset();
      expect((await admin.get('/export/realm/consents')).status).toBe(200);
      return service.meter.read;
    };
    const before = await costOf();
    for (const name of ['One', 'Two', 'Three', 'Four']) await service.createUser(name);
    expect((await costOf()) - before).toBe(4 * 0.5);
  });
});
