import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Attack, countStatuses, failuresIn } from './attack.ts';
import type { Reply } from './target.ts';

/** Ways to write the loopback address, and addresses of metadata services. */
const HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '①②⑦.0.0.1',
  'localhost',
  'localhost.',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '0.0.0.0',
  '[::]',
  'name@127.0.0.1',
];
const SETTLE_MS = 2_000;

export const innerAddresses: Attack = {
  name: 'inner-addresses',
  attempt: `one member has the service call its own machine, written in ${HOSTS.length} ways, by bots and linked pictures`,
  async run(target) {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests++;
      response.end('{}');
    }).listen(0, '::');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const attacker = await target.createMember();
    await target.owner.call('PATCH', '/realm', { inline_url_embed_preview: true });
    const replies: Reply[] = [];
    for (const [number, host] of HOSTS.entries()) {
      const url = `http://${host}:${port}/picture.png`;
      replies.push(
        await attacker.call('POST', '/bots', {
          full_name: `Bot ${number}`,
          short_name: `bot${number}`,
          bot_type: 3,
          payload_url: JSON.stringify(url),
        }),
      );
      const message = {
        type: 'direct',
        to: [attacker.userId],
        content: `${url} http://${host}:${port}/page`,
      };
      replies.push(await attacker.call('POST', '/messages', message));
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    server.closeAllConnections();
    server.close();
    return {
      seen: `${countStatuses(replies)}; ${requests} requests reached the machine`,
      achieved: [
        ...(requests > 0 ? [`${requests} requests to an inner address`] : []),
        ...failuresIn(replies),
      ],
    };
  },
};
