import { limits } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';

const TRUNCATED = '\n[message truncated]';

/**
 * The content as it is stored: without white space at the end and blank lines at the start, at most 10 000
 * code points.
 * @throws BadRequest for empty content and null bytes
 */
export function checkContent(given: string): string {
  if (given.includes('\0')) throw new BadRequest('Message must not contain null bytes');
  const first = given.search(/\S/);
  if (first < 0) throw new BadRequest('Message must not be empty');
  const content = given.slice(given.lastIndexOf('\n', first) + 1).trimEnd();
  // A code point is at most two characters: what lies beyond need not be taken apart.
  const characters = [...content.slice(0, 2 * limits.message + 1)];
  if (characters.length <= limits.message) return content;
  return characters.slice(0, limits.message - TRUNCATED.length).join('') + TRUNCATED;
}

const READING_CLIENTS = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
  // What every browser calls itself.
  'mozilla',
]);

/** Whether what this program sends counts as read by its sender: people's programs do, scripts do not. */
export function readsOwnMessages(client: string): boolean {
  const name = client.toLowerCase();
  return READING_CLIENTS.has(name) || name.includes('desktop app');
}
