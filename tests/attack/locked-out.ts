import { once } from 'node:events';
import { request } from 'node:http';
import type { Attack } from './attack.ts';

const GUESSES = 30;

/** Signs in from one of the addresses of this machine. */
async function signIn(url: string, from: string, username: string, password: string): Promise<number> {
  const { port } = new URL(url);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const where = { host: '127.0.0.1', port, localAddress: from, path: '/api/v1/fetch_api_key' };
  const sent = request({ ...where, method: 'POST', headers });
  sent.end(new URLSearchParams({ username, password }).toString());
  const [reply] = await once(sent, 'response');
  reply.resume();
  return reply.statusCode;
}

export const lockedOut: Attack = {
  name: 'locked-out',
  attempt: `a stranger tries ${GUESSES} wrong passwords, so that the person of the account cannot sign in`,
  async run(target) {
    await target.createMember();
    const email = 'member1@example.com';
    let checked = 0;
    for (let count = 0; count < GUESSES; count++)
      if ((await signIn(target.url, '127.0.0.2', email, `guess ${count}`)) === 401) checked++;
    const own = await signIn(target.url, '127.0.0.1', email, 'correct horse battery');
    return {
      seen: `${checked} guesses were checked; the person's own sign-in: ${own}`,
      achieved: [
        ...(own === 200 ? [] : ['the person is locked out']),
        ...(checked > 5 ? [`${checked} guesses`] : []),
      ],
    };
  },
};
