import { type Attack, countStatuses, describeCost, failuresIn } from './attack.ts';
import type { Caller, Reply } from './target.ts';

const ACCOUNTS = 6;
const CALLERS_PER_ACCOUNT = 50;
const MESSAGES = 30;

export const storm: Attack = {
  name: 'storm',
  attempt: `${ACCOUNTS * CALLERS_PER_ACCOUNT} clients of ${ACCOUNTS} accounts come back at the same moment, each to register, and send ${ACCOUNTS * MESSAGES} messages meanwhile`,
  async run(target) {
    const accounts: Caller[] = [];
    for (let count = 0; count < ACCOUNTS; count++) accounts.push(await target.createMember());
    const registered: Reply[] = [];
    const sent: Reply[] = [];
    const cost = await target.watch(async () => {
      const calls = accounts.flatMap((account) => [
        ...Array.from({ length: CALLERS_PER_ACCOUNT }, async () => {
          registered.push(await account.call('POST', '/register'));
        }),
        ...Array.from({ length: MESSAGES }, async (_, n) => {
          const to = [account.userId];
          sent.push(await account.call('POST', '/messages', { type: 'direct', to, content: `note ${n}` }));
        }),
      ]);
      await Promise.all(calls);
    });
    const acknowledged = sent.filter(({ status }) => status === 200).map(({ body }) => body.id as number);
    const found = new Set((await Promise.all(accounts.map(listIds))).flat());
    const lost = acknowledged.filter((id) => !found.has(id));
    return {
      seen: `register: ${countStatuses(registered)}; send: ${countStatuses(sent)}; ${describeCost(cost)}`,
      achieved: [
        ...(lost.length > 0 ? [`${lost.length} messages are lost`] : []),
        ...failuresIn([...registered, ...sent]),
      ],
    };
  },
};

async function listIds(account: Caller): Promise<number[]> {
  const { body } = await account.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 2 * MESSAGES,
    num_after: 0,
  });
  return body.messages.map(({ id }: { id: number }) => id);
}
