import { expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const mark = (params: Record<string, string>) => service.owner.post('/users/me/onboarding_steps', params);

test.each(['visibility_policy_banner', 'intro_inbox_view_modal', 'intro_resolve_topic'])(
  'The step %s is seen, and no step is left in the snapshot',
  async (onboarding_step) => {
    const { status, body } = await mark({ onboarding_step });
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    expect((await service.owner.register()).snapshot.onboarding_steps).toEqual([]);
  },
);

test('An unknown step is refused', async () => {
  expectRefusal(await mark({ onboarding_step: 'dance' }), 'Unknown onboarding_step: dance');
  const long = `Unknown onboarding_step: ${'x'.repeat(100)}`;
  expectRefusal(await mark({ onboarding_step: 'x'.repeat(5000) }), long);
});
