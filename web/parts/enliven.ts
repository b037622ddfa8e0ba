import { parseTemplate } from 'url-template';
import { charactersOf } from '#web/net/emoji.ts';
import { people, server } from '#web/net/store.ts';
import { momentOf } from './time.ts';

/** Makes what rendered HTML only describes usable: emoji, times, pictures, code, spoilers, links, formulas, mentions. */
export function enliven(fragment: DocumentFragment): void {
  const all = <One extends Element = HTMLElement>(selector: string): One[] => [
    ...fragment.querySelectorAll<One>(selector),
  ];
  all('span.emoji').forEach(showEmoji);
  all<HTMLTimeElement>('time').forEach(showTime);
  all<HTMLImageElement>('img.inline-image, .message_inline_image img').forEach(sizePicture);
  all('div.codehilite').forEach(dressCode);
  all('.spoiler-block').forEach(closeSpoiler);
  all('table').forEach(wrapTable);
  all<HTMLAnchorElement>('a[href]').forEach(aimLink);
  all('.user-mention, .user-group-mention').forEach(markMention);
  if (fragment.querySelector('.katex')) loadFormulaStyles();
  const [only, ...others] = fragment.children;
  if (others.length === 0 && only && isEmojiOnly(only)) only.classList.add('emoji-only');
}

const isEmojiOnly = (element: Element): boolean =>
  element.localName === 'p' &&
  element.children.length > 0 &&
  [...element.childNodes].every(
    (node) =>
      (node instanceof Element && node.classList.contains('emoji')) || node.textContent?.trim() === '',
  );

function showEmoji(element: HTMLElement): void {
  const code = [...element.classList].find((one) => one.startsWith('emoji-'))?.slice('emoji-'.length);
  const characters = charactersOf(code ?? '');
  if (characters !== '') element.textContent = characters;
}

function showTime(element: HTMLTimeElement): void {
  const ms = Date.parse(element.dateTime);
  if (Number.isNaN(ms)) return;
  element.title = `${element.dateTime}, in your time zone`;
  element.textContent = momentOf(ms / 1000, server.value.user_settings.twenty_four_hour_time);
}

const MOST_WIDTH = 360;
const MOST_HEIGHT = 240;

/** Space is kept before a picture arrives, so that nothing moves when it does. */
function sizePicture(image: HTMLImageElement): void {
  const [width = 0, height = 0] = (image.dataset.originalDimensions ?? '').split('x').map(Number);
  if (width > 0 && height > 0) {
    const scale = Math.min(1, MOST_WIDTH / width, MOST_HEIGHT / height);
    image.width = Math.max(1, Math.round(width * scale));
    image.height = Math.max(1, Math.round(height * scale));
  }
  image.loading = 'lazy';
  image.decoding = 'async';
  if (image.alt === '') image.alt = image.closest('a')?.title ?? 'Picture';
  if (!image.closest('a')) {
    image.tabIndex = 0;
    image.setAttribute('role', 'button');
  }
}

function dressCode(block: HTMLElement): void {
  const pre = block.querySelector('pre');
  if (pre) {
    pre.tabIndex = 0;
    pre.setAttribute('role', 'region');
    pre.setAttribute(
      'aria-label',
      block.dataset.codeLanguage ? `Code, ${block.dataset.codeLanguage}` : 'Code',
    );
  }
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  if (block.dataset.codeLanguage) {
    const label = document.createElement('span');
    label.textContent = block.dataset.codeLanguage;
    bar.append(label);
  }
  bar.append(...playgroundLinks(block));
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'code-copy';
  copy.textContent = 'Copy';
  bar.append(copy);
  block.append(bar);
}

/** Where the code can be run, at the sites that the organization names for its language. */
function playgroundLinks({ dataset, textContent }: HTMLElement): HTMLAnchorElement[] {
  const { codeLanguage: language } = dataset;
  const sites = server.value.realm_playgrounds.filter((one) => one.pygments_language === language);
  return sites.map(({ name, url_template: template }) => {
    const link = document.createElement('a');
    link.className = 'code-copy';
    link.href = parseTemplate(template).expand({ code: textContent ?? '' });
    link.textContent = `View in ${name}`;
    return link;
  });
}

let spoilers = 0;

function closeSpoiler(block: HTMLElement): void {
  const header = block.querySelector<HTMLElement>('.spoiler-header');
  const content = block.querySelector<HTMLElement>('.spoiler-content');
  if (!header || !content) return;
  spoilers += 1;
  content.id = `spoiler-${spoilers}`;
  content.hidden = true;
  if (header.textContent?.trim() === '') header.textContent = 'Spoiler';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'spoiler-button';
  button.setAttribute('aria-expanded', 'false');
  button.setAttribute('aria-controls', content.id);
  button.textContent = 'Show';
  header.append(button);
}

function wrapTable(table: HTMLElement): void {
  const box = document.createElement('div');
  box.className = 'table-box';
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', 'Table');
  table.replaceWith(box);
  box.append(table);
}

function aimLink(link: HTMLAnchorElement): void {
  const isInside = link.origin === location.origin;
  if (isInside && link.pathname === '/' && link.hash !== '') return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  if (!isInside && link.title === '') link.title = link.href;
}

function markMention(element: HTMLElement): void {
  const { user_id: ownId, realm_user_groups: groups } = server.value;
  const { userId, userGroupId } = element.dataset;
  const isSilent = element.classList.contains('silent');
  const person = people.value.get(Number(userId));
  if (person && !element.querySelector('.highlight'))
    element.textContent = `${isSilent ? '' : '@'}${person.full_name}`;
  const isInGroup = groups.some(({ id, members }) => id === Number(userGroupId) && members.includes(ownId));
  if (!isSilent && (Number(userId) === ownId || userId === '*' || isInGroup)) element.classList.add('me');
  if (person) {
    element.tabIndex = 0;
    element.setAttribute('role', 'button');
  }
}

let hasFormulaStyles = false;

function loadFormulaStyles(): void {
  const address = document.querySelector<HTMLMetaElement>('meta[name="katex-stylesheet"]')?.content;
  if (hasFormulaStyles || !address) return;
  hasFormulaStyles = true;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  document.head.append(link);
}
