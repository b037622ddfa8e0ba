import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { Receiver } from '#tests/harness/receiver.ts';
import { startTestService } from '#tests/harness/service.ts';

const run = promisify(execFile);
const page = readFileSync(join(import.meta.dirname, '../../docs/integrate.md'), 'utf8');
const blocks: { title: string; language: string; source: string }[] = [];
let heading = '';
for (const [, named, language = '', source = ''] of page.matchAll(/^## (.+?)$|^```(\w+)\n([\s\S]*?)^```/gm)) {
  heading = named ?? heading;
  if (named === undefined) blocks.push({ title: `${heading} (${blocks.length + 1})`, language, source });
}
const commands: Record<string, string[]> = {
  sh: ['bash', '-euo', 'pipefail', '-c'],
  js: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
};

const feeds = new Receiver();
await feeds.start();
feeds.respond = (_received, response) =>
  void response.end('<rss><channel><title>News</title></channel></rss>');
const service = await startTestService({ openings: readOpenings(feeds.host) });
const newcomer = await service.createUser('Newcomer');
await newcomer.subscribe('general chat');
afterAll(() => feeds.stop());

/** The messages that a new user finds in the channel after a block. */
const newest = async (): Promise<string> => {
  const { body } = await newcomer.get('/messages', { anchor: 'newest', num_before: 3, num_after: 0 });
  return JSON.stringify(body.messages.map(({ content }: { content: string }) => content));
};

test('The page has blocks for shells, JavaScript, Python, agents, webhooks and feeds', () => {
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'sh', 'js', 'python', 'sh', 'sh', 'sh']);
});

test.each(blocks)('The page docs/integrate.md, $title, works as printed', async ({ language, source }) => {
  const [command = '', ...before] = commands[language] ?? [];
  const env = {
    ...process.env,
    SITE: service.url,
    EMAIL: newcomer.email,
    API_KEY: newcomer.apiKey,
    FEED: feeds.url,
  };
  const { stdout } = await run(command, [...before, source], { env });
  expect(stdout).not.toContain('"isError":true');
  await service.settle();
  const [, text] = /content='?(?:Version \*\*)?([\w .]+)|"text": "(Disk)/.exec(source) ?? [];
  if (text) expect(await newest()).toContain(text.trim().slice(0, 8));
});
