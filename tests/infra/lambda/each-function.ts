import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { fileNameOf, listFunctions } from '#infra/aws/functions.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { answersJson, successOf } from '#tests/conformance/requests.ts';
import { samples } from '#tests/conformance/samples/samples.ts';
import { restoreCaller } from '#tests/conformance/world.ts';
import { checkReply } from '#tests/harness/declared/replies.ts';
import { callFunction, functionOf, type Name, theDeployment } from './deployment.ts';

const names = Object.keys(endpoints) as Name[];

/** What this deployment refuses: no address of this machine is allowed. */
const REFUSED: Partial<Record<Name, [status: number, msg: string]>> = {
  addChannelFeed: [400, 'The address of the feed is not allowed.'],
  findGifs: [502, 'The GIF provider does not answer.'],
  getGifPreview: [502, 'The GIF provider does not answer.'],
};

describe('On Lambda', () => {
  test('The stacks deploy every function of the build', () => {
    const { endpoints: operations, workers, sockets, fallback } = listFunctions();
    const built = [...operations, ...workers, ...sockets, ...(fallback ? [fallback] : [])].map(
      ({ name }) => name,
    );
    expect([...theDeployment().functions.keys()].sort()).toEqual(built.sort());
  });

  test.each(names)(
    '%s answers its sample in a process of its own, which then waits for more',
    async (name) => {
      const { world } = theDeployment();
      const endpoint: AnyEndpoint = endpoints[name];
      const deployed = functionOf(fileNameOf(name));
      startNext(name);
      const params = await samples[name](world);
      const { statusCode: status, body } = await callFunction(name, params, world.caller);
      const [expected, refusal] = REFUSED[name] ?? [successOf(endpoint)];
      expect(status, `${body.slice(0, 600)} ${deployed.output}`).toBe(expected);
      if (refusal !== undefined) expect(JSON.parse(body).msg).toBe(refusal);
      if (answersJson(endpoint)) {
        const [method = '', path = ''] = endpoint.route.split(' ');
        checkReply(endpoints, method, path, { status, body: JSON.parse(body) });
      }
      expect(deployed.output).not.toMatch(/"level":"(error|warn)"|Warning|Unhandled/);
      expect(await deployed.shutDown()).toBe('SIGTERM');
      await restoreCaller(world);
    },
  );
});

/** The next function is loaded meanwhile. */
function startNext(name: Name): void {
  const next = names[names.indexOf(name) + 1];
  if (next) void functionOf(fileNameOf(next)).provision();
}
