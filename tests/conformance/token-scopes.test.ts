import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { tokenScopes } from '#shared/domain/api-tokens/api-token.ts';
import { startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';
import { callAs } from './requests.ts';

type Name = keyof typeof endpoints;
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];
const authenticated = registry.filter(([, { allow }]) => allow !== 'anyone');
const scopesOf = ({ scope }: AnyEndpoint): string[] => [scope ?? []].flat();

/** A token that has every scope but this one. */
const without = new Map<string, TokenClient>();
const service = await startTestService();
const { owner } = service;
const channelId = await owner.subscribe('reachable');
const everything = await TokenClient.create(owner, [...tokenScopes]);
const limited = await TokenClient.create(owner, [...tokenScopes], { channels: [channelId] });
for (const scope of tokenScopes)
  without.set(
    scope,
    await TokenClient.create(
      owner,
      tokenScopes.filter((one) => one !== scope),
    ),
  );

const codeFor = async (endpoint: AnyEndpoint, { authorization }: TokenClient): Promise<unknown> => {
  const { status, body } = await callAs(service.url, endpoint, {}, authorization);
  return status === 403 ? body?.code : status;
};

describe('API tokens of an owner, whatever the parameters of the call', () => {
  test.each(authenticated.filter(([, one]) => scopesOf(one).length === 0))(
    '%s refuses every token',
    async (_name, endpoint) => {
      expect(await codeFor(endpoint, everything)).toBe('INSUFFICIENT_SCOPE');
    },
  );

  test.each(
    authenticated.flatMap(([name, one]) =>
      scopesOf(one).length === 1 ? [[name, scopesOf(one)[0] as string, one] as const] : [],
    ),
  )('%s requires the scope %s', async (_name, scope, endpoint) => {
    expect(await codeFor(endpoint, without.get(scope) as TokenClient)).toBe('INSUFFICIENT_SCOPE');
  });

  test.each(authenticated.filter(([, { obeysChannels }]) => !obeysChannels))(
    '%s refuses tokens that are limited to channels',
    async (_name, endpoint) => {
      expect(await codeFor(endpoint, limited)).toBe('INSUFFICIENT_SCOPE');
    },
  );

  test('Reading never requires more than the scope read, and writing never that alone', () => {
    const reads = (name: Name) => (endpoints[name] as AnyEndpoint).route.startsWith('GET ');
    const wrong = authenticated
      // Its tools have scopes of their own.
      .filter(([name]) => name !== 'answerMcp')
      .filter(([, one]) => scopesOf(one).length > 0)
      .filter(([name, one]) => scopesOf(one).includes('read') !== reads(name))
      .map(([name]) => name);
    // A queue is a way to read, and a text that is rendered is not kept.
    expect(wrong.sort()).toEqual(['deleteQueue', 'getResumableUpload', 'registerQueue', 'renderMessage']);
  });
});
