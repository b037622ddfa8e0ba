import type { Attack } from './attack.ts';

const ADMINISTRATOR = 200;
const MEMBER = 400;

export const lastingRights: Attack = {
  name: 'lasting-rights',
  attempt:
    'an administrator makes a link for administrators and a bot with that role, is demoted, and continues to use them',
  async run({ owner, stranger, createMember }) {
    const insider = await createMember();
    const path = `/users/${insider.userId}`;
    await owner.call('PATCH', path, { role: ADMINISTRATOR });
    const link = await insider.call('POST', '/invites/multiuse', { invite_as: ADMINISTRATOR });
    const [, key = ''] = /\/join\/([^/]+)/.exec(String(link.body.invite_link)) ?? [];
    const bot = await insider.call('POST', '/bots', { full_name: 'Helper', short_name: 'helper' });
    await owner.call('PATCH', `/users/${bot.body.user_id}`, { role: ADMINISTRATOR });
    await owner.call('PATCH', path, { role: MEMBER });
    const opened = await stranger.call('GET', '/join', { key });
    let role = ADMINISTRATOR;
    for (let attempt = 0; attempt < 20 && role === ADMINISTRATOR; attempt++)
      role = (await owner.call('GET', `/users/${bot.body.user_id}`)).body.user.role;
    return {
      seen: `the link: ${opened.status}; the role of the bot: ${role}`,
      achieved: [
        ...(opened.status === 200 ? ['a link for administrators'] : []),
        ...(role === ADMINISTRATOR ? ['a bot that is an administrator'] : []),
      ],
    };
  },
};
