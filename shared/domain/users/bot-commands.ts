import { BadRequest } from '#shared/domain/errors.ts';
import type { UserEdit } from './edit.ts';
import { userUpdateEvent } from './events.ts';
import type { BotSettings, User } from './user.ts';

/** A command that a bot understands at the beginning of a message. */
export interface BotCommand {
  /** Without the slash. */
  name: string;
  description: string;
}

const MAX_COMMANDS = 20;
const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const MAX_DESCRIPTION = 100;
/** Commands that the service or its clients understand. */
const RESERVED = ['me', 'poll', 'todo'];

/** @throws BadRequest */
export function checkCommands(input: BotCommand[]): BotCommand[] {
  if (input.length > MAX_COMMANDS) throw new BadRequest(`Too many commands: a bot may have ${MAX_COMMANDS}`);
  const names = new Set<string>();
  for (const { name, description } of input) {
    if (!NAME.test(name)) throw new BadRequest(`Invalid command name '${name}'`);
    if (RESERVED.includes(name)) throw new BadRequest(`The command /${name} is one of the service`);
    if (names.has(name)) throw new BadRequest(`The command /${name} is declared twice`);
    if (description.length > MAX_DESCRIPTION)
      throw new BadRequest(`description is too long (limit: ${MAX_DESCRIPTION} characters)`);
    if (/\p{Cc}/u.test(description) || !description.isWellFormed())
      throw new BadRequest('description has invalid characters');
    names.add(name);
  }
  return input.map(({ name, description }) => ({ name, description }));
}

/** Changes the commands of a bot for all clients; empty when nothing changes. */
export function commandEdits(bot: User, next: BotSettings): UserEdit[] {
  const commands = next.commands ?? [];
  if (JSON.stringify(commands) === JSON.stringify(bot.bot?.commands ?? [])) return [];
  const event = userUpdateEvent({ user_id: bot.userId, bot_commands: commands });
  return [{ set: { bot: next }, checks: [], events: [event] }];
}
