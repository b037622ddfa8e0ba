import { computed } from '@preact/signals';
import { parseTemplate } from 'url-template';
import { charactersOf } from '#web/net/emoji.ts';
import { hasState, people, server, state } from '#web/net/store.ts';
import { directionOf } from '#web/state/direction.ts';
import { alertPattern, alertPieces, type Piece } from '#web/state/feed/alert-words.ts';
import { isInGroup } from '#web/state/groups.ts';
import type { Snapshot } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { calendar, momentOf } from './time.ts';

/**
 * Their direction places marks, bars and columns too, so the marks of a list are on one side. For `auto`, a browser does not
 * look into parts with a direction.
 */
const BOXES = 'ul, ol, blockquote, table, td, th, .spoiler-header, .spoiler-content';
const PICTURES = 'img.inline-image, .message_inline_image img';
const ANIMATED = 'img[data-animated]';
const ofServer = <Part>(read: (snapshot: Snapshot) => Part) =>
  computed(() => (state.value ? read(state.value.server) : undefined));
const playgrounds = ofServer(({ realm_playgrounds }) => realm_playgrounds);
const groups = ofServer(({ realm_user_groups }) => realm_user_groups);
const pictureSize = ofServer(({ realm_media_preview_size }) => realm_media_preview_size);
const motion = ofServer(({ user_settings }) => user_settings.web_animate_image_previews);
const known = computed(() => (hasState.value ? people.value : undefined));

/** What messages show of the organization; texts that are drawn already are brought up to date when it changes. */
export const surroundings = (): unknown[] => [
  playgrounds.value,
  groups.value,
  pictureSize.value,
  motion.value,
  calendar.value,
  known.value,
];

/** Shows names, playgrounds, sizes and times as they are now. */
export function bringUpToDate(root: HTMLElement): void {
  if (!hasState.peek()) return;
  root.querySelectorAll<HTMLImageElement>(PICTURES).forEach(sizePicture);
  for (const image of root.querySelectorAll<HTMLImageElement>(ANIMATED)) setMotion(image, false);
  root.querySelectorAll<HTMLElement>('div.codehilite').forEach(offerPlaygrounds);
  root.querySelectorAll<HTMLTimeElement>('time').forEach(showTime);
  root.querySelectorAll<HTMLElement>('.user-mention, .user-group-mention').forEach(markMention);
}

/** Makes what rendered HTML only describes usable: emoji, pictures, code, spoilers, links, formulas, mentions. */
export function enliven(fragment: DocumentFragment): void {
  const all = <One extends Element = HTMLElement>(selector: string): One[] => [
    ...fragment.querySelectorAll<One>(selector),
  ];
  all('span.emoji').forEach(showEmoji);
  all<HTMLImageElement>(PICTURES).forEach(dressPicture);
  all<HTMLImageElement>(ANIMATED).forEach(animatePicture);
  all('div.codehilite').forEach(dressCode);
  all('.spoiler-block').forEach(closeSpoiler);
  all('.message_inline_video').forEach(playFilm);
  all('audio').forEach(labelSound);
  for (const block of all('p, h1, h2, h3, h4, h5, h6')) block.dir = 'auto';
  for (const box of all(BOXES)) box.dir = directionOf(box.textContent ?? '') ?? 'auto';
  all('table').forEach(wrapTable);
  all<HTMLAnchorElement>('a[href]').forEach(aimLink);
  all<HTMLAnchorElement>('a[href^="/user_uploads/"]').forEach(dressFile);
  all('p:has(> .of-picture)').forEach(foldPictureNames);
  for (const picture of all(
    '.message_inline_image:has(+ .message_inline_image), .message_inline_image + .message_inline_image',
  ))
    picture.classList.add('of-many');
  markAlertWords(fragment);
  if (fragment.querySelector('.katex')) loadFormulaStyles();
  const [only, ...others] = fragment.children;
  if (others.length === 0 && only && isEmojiOnly(only)) only.classList.add('emoji-only');
}

const alerts = computed(() => alertPattern(state.value?.server.alert_words ?? []));
const UNMARKED = 'a, code, pre, time, .emoji, .katex, .user-mention, .user-group-mention, .topic-mention';

/** Marks the words of a text for which the viewer wants to be notified. */
function markAlertWords(fragment: DocumentFragment): void {
  const pattern = alerts.peek();
  if (!pattern) return;
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest(UNMARKED)) continue;
    const pieces = alertPieces(text.data, pattern);
    if (pieces.some(({ isAlert }) => isAlert)) text.replaceWith(...pieces.map(nodeOf));
  }
}

function nodeOf({ text, isAlert }: Piece): Node {
  if (!isAlert) return document.createTextNode(text);
  const mark = document.createElement('span');
  mark.className = 'alert-word';
  mark.textContent = text;
  return mark;
}

const isEmojiOnly = (element: Element): boolean =>
  element.localName === 'p' &&
  element.children.length > 0 &&
  [...element.childNodes].every(
    (node) =>
      (node instanceof Element && node.classList.contains('emoji')) || node.textContent?.trim() === '',
  );

function showEmoji(element: HTMLElement): void {
  const code = [...element.classList].find((name) => name.startsWith('emoji-'))?.slice('emoji-'.length);
  const characters = charactersOf(code ?? '');
  if (characters !== '') element.textContent = characters;
}

function showTime(element: HTMLTimeElement): void {
  const ms = Date.parse(element.dateTime);
  if (Number.isNaN(ms)) return;
  element.title = t('parts.dateTimeInYourTimeZone', { dateTime: element.dateTime });
  element.textContent = momentOf(ms / 1000, server.value.user_settings.twenty_four_hour_time);
}

const MOST_WIDTH = 360;
const MOST_HEIGHT = 240;

/** Space is kept before a picture arrives, so that nothing moves when it does. */
function sizePicture(image: HTMLImageElement): void {
  const [width = 0, height = 0] = (image.dataset.originalDimensions ?? '').split('x').map(Number);
  if (width > 0 && height > 0) {
    const times = (pictureSize.value ?? 100) / 100;
    const scale = Math.min(1, (MOST_WIDTH * times) / width, (MOST_HEIGHT * times) / height);
    image.width = Math.max(1, Math.round(width * scale));
    image.height = Math.max(1, Math.round(height * scale));
  }
}

function dressPicture(image: HTMLImageElement): void {
  image.loading = 'lazy';
  image.decoding = 'async';
  if (image.alt === '') image.alt = image.closest('a')?.title ?? t('common.picture');
  if (!image.closest('a')) {
    image.tabIndex = 0;
    image.setAttribute('role', 'button');
  }
}

const GIF_COPY = /^(\/user_avatars\/[0-9a-f-]{36})(?:-still\.webp|\.gif)$/;

/** Shows the motion of a picture, or its first frame, as the viewer wants it. */
function setMotion(image: HTMLImageElement, isLookedAt: boolean): void {
  const [, path] = GIF_COPY.exec(image.getAttribute('src') ?? '') ?? [];
  if (path === undefined) return;
  const wish = motion.peek() ?? 'on_hover';
  const moves = wish === 'always' || (wish === 'on_hover' && isLookedAt);
  const src = moves ? `${path}.gif` : `${path}-still.webp`;
  if (image.getAttribute('src') !== src) image.setAttribute('src', src);
}

/** Moves under the pointer or the focus only, so that nothing moves beside a text that is read. */
function animatePicture(image: HTMLImageElement): void {
  const place = image.closest('a') ?? image;
  for (const look of ['pointerenter', 'focus']) place.addEventListener(look, () => setMotion(image, true));
  for (const leave of ['pointerleave', 'blur']) place.addEventListener(leave, () => setMotion(image, false));
  setMotion(image, false);
}

function dressCode(block: HTMLElement): void {
  const pre = block.querySelector('pre');
  if (pre) {
    pre.tabIndex = 0;
    pre.setAttribute('role', 'region');
    pre.setAttribute(
      'aria-label',
      block.dataset.codeLanguage
        ? t('parts.codeCodeLanguage', { codeLanguage: block.dataset.codeLanguage })
        : t('parts.code'),
    );
  }
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  if (block.dataset.codeLanguage) {
    const label = document.createElement('span');
    label.textContent = block.dataset.codeLanguage;
    bar.append(label);
  }
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'code-tool code-copy';
  copy.textContent = t('common.copy');
  bar.append(copy);
  block.append(bar);
}

/** Links to sites that run the code: the playgrounds of the organization for its language. */
function offerPlaygrounds(block: HTMLElement): void {
  const sites =
    playgrounds.value?.filter((playground) => playground.pygments_language === block.dataset.codeLanguage) ??
    [];
  const code = block.querySelector('code')?.textContent ?? '';
  for (const link of block.querySelectorAll('.code-play')) link.remove();
  const links = sites.map(({ name, url_template: template }) => {
    const link = document.createElement('a');
    link.className = 'code-tool code-play';
    link.href = parseTemplate(template).expand({ code });
    link.textContent = t('parts.viewInName', { name });
    aimLink(link);
    return link;
  });
  block.querySelector('.code-copy')?.before(...links);
}

/** A film is played in place; without its player it would be invisible. */
function playFilm(box: HTMLElement): void {
  const film = box.querySelector('video');
  const link = box.querySelector('a');
  if (!film) return;
  film.controls = true;
  film.preload = 'metadata';
  film.setAttribute('aria-label', link?.title || nameOfFile(film.src));
  link?.replaceWith(film);
}

function labelSound(sound: HTMLElement): void {
  const player = sound as HTMLAudioElement;
  player.controls = true;
  player.setAttribute('aria-label', player.title || nameOfFile(player.src));
  // A sound that the browser cannot play can still be loaded.
  const offerFile = (): void => {
    const link = document.createElement('a');
    link.href = player.src;
    link.textContent = player.getAttribute('aria-label');
    dressCard(link);
    aimLink(link);
    player.after(link);
  };
  player.addEventListener('error', offerFile, { once: true });
}

const SOUND = /\.(?:aac|flac|m4a|mp3|og[ag]|opus|wav|weba)$/i;
const FILM = /\.(?:m4v|mkv|ogv)$/i;

/** Plays a linked file of a kind for which the service makes no player. */
function playLinked(link: HTMLAnchorElement): void {
  const isFilm = FILM.test(link.pathname);
  if (!isFilm && !SOUND.test(link.pathname)) return;
  const player = document.createElement(isFilm ? 'video' : 'audio');
  player.controls = true;
  player.preload = 'metadata';
  player.src = link.href;
  player.setAttribute('aria-label', link.text);
  link.after(player);
}

const nameOfFile = (address: string): string => {
  const name = address.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

let spoilers = 0;

function closeSpoiler(block: HTMLElement): void {
  const header = block.querySelector<HTMLElement>('.spoiler-header');
  const content = block.querySelector<HTMLElement>('.spoiler-content');
  if (!header || !content) return;
  spoilers += 1;
  content.id = `spoiler-${spoilers}`;
  content.hidden = true;
  if (header.textContent?.trim() === '') header.textContent = t('parts.spoiler');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'spoiler-button';
  button.setAttribute('aria-expanded', 'false');
  button.setAttribute('aria-controls', content.id);
  button.textContent = t('parts.show');
  header.append(button);
}

function wrapTable(table: HTMLElement): void {
  const box = document.createElement('div');
  box.className = 'table-box';
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', t('parts.table'));
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
  const ownId = server.value.user_id;
  const { userId, userGroupId } = element.dataset;
  const isSilent = element.classList.contains('silent');
  const person = people.value.get(Number(userId));
  if (person && !element.querySelector('.highlight'))
    element.textContent = `${isSilent ? '' : '@'}${person.full_name}`;
  const isOwn =
    Number(userId) === ownId ||
    userId === '*' ||
    (userGroupId !== undefined && isInGroup(groups.value ?? [], ownId, Number(userGroupId)));
  element.classList.toggle('me', !isSilent && isOwn);
  if (person) {
    element.tabIndex = 0;
    element.setAttribute('role', 'button');
  }
}

const KIND = /\.([a-z0-9]{1,4})$/i;

const PREVIEWS = '.message_inline_image a, .message_inline_video a';

/** A file that is named in a message and has no picture is a card with its kind. */
function dressFile(link: HTMLAnchorElement): void {
  if (link.querySelector('img, video') || link.closest('.message_inline_image, .message_inline_video'))
    return;
  const previews = [...(link.getRootNode() as ParentNode).querySelectorAll(PREVIEWS)];
  if (previews.some((preview) => preview.getAttribute('href') === link.getAttribute('href'))) {
    link.classList.add('of-picture');
    return;
  }
  dressCard(link);
  playLinked(link);
}

function dressCard(link: HTMLAnchorElement): void {
  link.classList.add('file-card');
  link.dataset.kind = ((KIND.exec(link.pathname) ?? KIND.exec(link.text))?.[1] ?? 'file').toUpperCase();
}

/** Names that only announce the following pictures are shown only to viewers who hide pictures. */
function foldPictureNames(paragraph: HTMLElement): void {
  const isNameOnly = [...paragraph.childNodes].every((node) =>
    node instanceof Element ? node.matches('br, .of-picture') : node.textContent?.trim() === '',
  );
  paragraph.classList.toggle('picture-names', isNameOnly);
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
