import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, text } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { settingEvents, settingWrites } from '#shared/domain/settings/change.ts';
import { effectiveSettings } from '#shared/domain/settings/user-settings.ts';
import { readZcommand } from '#shared/domain/settings/zcommand.ts';
import { commit } from '#shared/log/commit.ts';
import { getChosenSettings } from '#shared/store/users/user-settings.ts';

const MAX_COMMAND_LENGTH = 100;

/** Runs a command that a person typed into the compose box: `/ping`, or a change of the look of the client. */
export const runZcommand = endpoint({
  route: 'POST /zcommand',
  summary: 'Run a slash command',
  allow: 'human',
  params: {
    command: text(
      z.string().check(maxLength(MAX_COMMAND_LENGTH)),
      'One of `/ping`, `/dark`, `/light`, `/fluid-width` and `/fixed-width`',
    ),
  },
  result: z.object({ msg: z.string() }),
  errors: [BadRequest],
  emits: ['user_settings/update'],
  uses: { table: 'write' },
  async handle({ command }, { services, caller }) {
    const effect = readZcommand(command);
    if (!effect) return { msg: '' };
    const { setting, value, name, opposite } = effect;
    const chosen = await getChosenSettings(services.table, caller.userId);
    if (effectiveSettings(caller, chosen)[setting] === value) return { msg: `You already have ${name}.` };
    const changed = { [setting]: value };
    await commit(services, {
      writes: settingWrites(caller.userId, chosen, changed),
      events: settingEvents(caller.userId, changed),
    });
    return { msg: `You now have ${name}. To change back, type \`/${opposite}\`.` };
  },
});

export const handler = lambda(runZcommand, awsServices);
