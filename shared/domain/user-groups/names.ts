import { BadRequest } from '#shared/domain/errors.ts';
import { hasUnfitCharacter } from '#shared/domain/names.ts';

const MAX_LENGTH = 100;
/** Names with these prefixes have another meaning in mentions. */
const FORBIDDEN_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/**
 * The trimmed group name.
 * @throws BadRequest when it is empty, too long, has a reserved prefix or control characters
 */
export function checkGroupName(input: string): string {
  const name = input.trim();
  if (name === '') throw new BadRequest("User group name can't be empty!");
  if ([...name].length > MAX_LENGTH)
    throw new BadRequest(`User group name cannot exceed ${MAX_LENGTH} characters.`);
  const prefix = FORBIDDEN_PREFIXES.find((forbiddenPrefix) => name.startsWith(forbiddenPrefix));
  if (prefix) throw new BadRequest(`User group name cannot start with '${prefix}'.`);
  if (hasUnfitCharacter(name)) throw new BadRequest('Invalid characters in user group name!');
  return name;
}
