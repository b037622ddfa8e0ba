import { decodeEntities, inline, link } from './words.ts';

const MAX_LENGTH = 20_000;

/** Slack's markup as Markdown. Code is left alone. */
export const fromMrkdwn = (text: string): string =>
  text
    .slice(0, MAX_LENGTH)
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? decodeEntities(part) : convert(part)))
    .join('');

const convert = (text: string): string =>
  decodeEntities(
    text
      .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]{1,500}?)(?<=\S)\*(?![\w*])/g, '\u0000$1\u0000')
      .replaceAll(/(?<!\w)_(?=\S)([^_\n]{1,500}?)(?<=\S)_(?!\w)/g, '*$1*')
      .replaceAll(/(?<![\w~])~(?=\S)([^~\n]{1,500}?)(?<=\S)~(?![\w~])/g, '~~$1~~')
      .replaceAll('\u0000', '**')
      .replaceAll(/<([^<>|\n]{1,2000})(?:\|([^<>\n]{0,1000}))?>/g, (_all, target: string, label?: string) =>
        reference(target, label),
      ),
  );

/** What Slack has in angle brackets: links, people, channels and wildcards. */
function reference(target: string, label: string | undefined): string {
  const name = label === undefined || label === '' ? undefined : label;
  if (target.startsWith('!')) return `@${name ?? target.slice(1).split('^')[0]}`;
  if (target.startsWith('@')) return `@${name ?? target.slice(1)}`;
  if (target.startsWith('#')) return `#${name ?? target.slice(1)}`;
  const url = decodeEntities(target);
  if (url.startsWith('mailto:')) return inline(decodeEntities(name ?? url.slice('mailto:'.length)));
  return name === undefined ? url : link(decodeEntities(name), url);
}
