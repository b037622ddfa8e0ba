import { limits } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';

const TRUNCATED = '\n[message truncated]';

/**
 * The content to store: trimmed of trailing white space and leading blank lines, at most 10 000 code points.
 * @throws BadRequest for empty content and null bytes
 */
export function checkContent(input: string): string {
  if (input.includes('\0')) throw new BadRequest('Message must not contain null bytes');
  const first = input.search(/\S/);
  if (first < 0) throw new BadRequest('Message must not be empty');
  const content = input.slice(input.lastIndexOf('\n', first) + 1).trimEnd();
  // A code point is at most two characters, so the rest need not be split.
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
  // Part of every browser's User-Agent.
  'mozilla',
]);

/**
 * Whether messages sent by this program count as read by their sender: yes for clients of people, no for
 * scripts.
 */
export function readsOwnMessages(client: string): boolean {
  const name = client.toLowerCase();
  return READING_CLIENTS.has(name) || name.includes('desktop app');
}
