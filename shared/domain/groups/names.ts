import { BadRequest } from '#shared/domain/errors.ts';
import { hasUnfitCharacter } from '#shared/domain/names.ts';

const MAX_LENGTH = 100;
/** Such names mean something else in mentions. */
const FORBIDDEN_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/**
 * A group name without white space around it.
 * @throws BadRequest when it is empty, too long, begins as other names do, or has control characters
 */
export function checkGroupName(given: string): string {
  const name = given.trim();
  if (name === '') throw new BadRequest("User group name can't be empty!");
  if ([...name].length > MAX_LENGTH)
    throw new BadRequest(`User group name cannot exceed ${MAX_LENGTH} characters.`);
  const prefix = FORBIDDEN_PREFIXES.find((one) => name.startsWith(one));
  if (prefix) throw new BadRequest(`User group name cannot start with '${prefix}'.`);
  if (hasUnfitCharacter(name)) throw new BadRequest('Invalid characters in user group name!');
  return name;
}
