import { describe, expect, test } from 'vitest';
import { load, useStillPage } from '../still-page.ts';

const [roster, many, store] = await load(
  '#web/net/organization/roster.ts',
  '#web/net/organization/many-people.ts',
  '#web/net/store.ts',
);

const ada = { user_id: 2, full_name: 'Ada', role: 400 };
const bo = { user_id: 3, full_name: 'Bo', role: 300 };

const page = useStillPage({ realm_users: [ada, bo], is_admin: true });

const notice = () => store.notices.value.at(-1);
const texts = () => store.notices.value.map(({ text }: { text: string }) => text);
const asked = () => page.calls.map(({ call, params }) => [call, params]);
/** Does the action of the newest notice; returns the requests to the service. */
async function undo() {
  page.calls.length = 0;
  expect(notice()?.action?.label).toBe('Undo');
  notice()?.action?.run();
  await page.pass(0);
  return asked();
}

describe('A notice', () => {
  test('For a deactivated bot offers nothing to its owner, who may not reactivate it', async () => {
    page.set({ is_admin: false });
    await roster.deactivateBot(ada);
    expect(store.notices.value).toEqual([{ id: expect.any(Number), text: 'Ada deactivated' }]);
  });
});

describe('An action on many people', () => {
  const refuseFor = (path: string) => {
    page.answer = () =>
      page.calls.at(-1)?.call.includes(path) ? { status: 400, body: { msg: 'No' } } : { body: {} };
  };

  test('Reverts for as many as possible, and the others are named', async () => {
    await many.deactivateMany([2, 3]);
    expect(asked().map(([call]) => call)).toEqual(['DELETE /users/2', 'DELETE /users/3']);
    refuseFor('/users/3');
    await undo();
    expect(texts().slice(1)).toEqual(['1 person reactivated', 'Couldn’t reactivate everyone: Bo: No']);
    await many.setRoleOfMany([2], 600);
    refuseFor('/users/2');
    await undo();
    expect(notice()?.text).toBe('Couldn’t restore everyone’s role: Ada: No');
  });
});
