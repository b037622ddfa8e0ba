import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { type ActorName, actorNames, describePermissions, mayCall } from '#infra/pages/permissions-page.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';
import { callAs, successOf } from './requests.ts';
import { samples } from './samples/samples.ts';
import { createWorld, noDevices, restoreCaller } from './world.ts';

type Name = keyof typeof endpoints;
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];
const WAITING_PERIOD_DAYS = 10;

const actors: Partial<Record<ActorName, Client>> = {};

const service = await startTestService(noDevices);
const world = await createWorld(service);
actors.administrator = await service.createUser('Admin', roles.administrator);
actors.moderator = await service.createUser('Moderator', roles.moderator);
actors['full member'] = await service.createUser('Full');
actors.guest = await service.createUser('Guest', roles.guest);
actors.bot = await service.createUser('Robot');
await service.makeBot(actors.bot, world.deputy);
actors['deactivated user'] = await service.createUser('Gone', roles.owner);
await service.deactivate(actors['deactivated user']);
await world.caller.patch('/realm', { waiting_period_threshold: WAITING_PERIOD_DAYS });
service.advance(WAITING_PERIOD_DAYS * 24 * 3600 * 1000 + 1000);
actors['new member'] = await service.createUser('New');
await service.settle();

const clientOf = (actor: ActorName): Client | undefined => (actor === 'owner' ? world.caller : actors[actor]);
const hasAccount = (actor: ActorName): boolean => actor !== 'deactivated user' && actor !== 'nobody';

/** A user who turned off synchronizing drafts could not call the operations on them. */
async function restoreSettings(actor: ActorName): Promise<void> {
  if (actors[actor] && hasAccount(actor))
    await actors[actor].patch('/settings', { enable_drafts_synchronization: true });
}

describe('The permissions of operations', () => {
  test.each(registry)(
    'Let %s succeed for the users of its rules, and for no other user',
    proves('conventions.11'),
    async (name, endpoint) => {
      const succeeded: ActorName[] = [];
      let params: Params | undefined;
      for (const actor of actorNames) {
        // The sample that one user was refused remains for the next one.
        params ??= await samples[name](world);
        const client = clientOf(actor);
        const reply = await callAs(service.url, endpoint, params, client?.authorization);
        expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(500);
        if (hasAccount(actor)) expect(reply.status, `the key of the ${actor}`).not.toBe(401);
        if (reply.status !== successOf(endpoint)) continue;
        succeeded.push(actor);
        if (endpoint.uses.table !== 'write') continue;
        params = undefined;
        // The call may have ended the account, or changed its key.
        await restoreCaller(world, hasAccount(actor) ? client : undefined);
        if (endpoint.emits.includes('user_settings/update')) await restoreSettings(actor);
      }
      expect(succeeded).toEqual(actorNames.filter((actor) => mayCall(endpoint, actor)));
    },
  );

  test('Equal the table in the documentation', () => {
    expect(readFileSync('docs/permissions.md', 'utf8')).toBe(describePermissions());
  });
});
