import type { World } from '#tests/conformance/world.ts';
import { Program, REDIRECT } from '#tests/harness/oauth.ts';

/** The operations for programs that request tokens. */
export const oauthSamples = {
  getWellKnownDocument: () => ({ document: 'oauth-authorization-server' }),
  registerOauthClient: () => ({
    body: JSON.stringify({ client_name: 'Program', redirect_uris: [REDIRECT] }),
  }),
  showConsent: async ({ caller }: World) => withoutResource(await Program.register(caller.url)),
  giveConsent: async ({ caller }: World) => ({
    ...withoutResource(await Program.register(caller.url)),
    granted_scopes: ['read'],
  }),
  issueOauthToken: async ({ caller }: World) => {
    const program = await Program.register(caller.url);
    return {
      grant_type: 'authorization_code',
      client_id: program.clientId,
      code: await program.code(caller),
      redirect_uri: REDIRECT,
      code_verifier: program.verifier,
    };
  },
  revokeOauthToken: async ({ caller }: World) => {
    const program = await Program.register(caller.url);
    const { body } = await program.exchange(await program.code(caller));
    return { token: body.refresh_token };
  },
};

/** Some laws call the function itself, by another address. */
const withoutResource = (program: Program) => {
  const { resource: _resource, ...asked } = program.asked();
  return asked;
};
