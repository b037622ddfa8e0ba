import { escapeHtml } from '#shared/domain/html-text.ts';
import { pictureUrl } from '#shared/domain/pictures/picture.ts';
import type { PreviewLink } from './links.ts';

/** The known data of a linked page or picture. */
export interface Preview {
  title?: string;
  description?: string;
  /** Our copy of its picture. */
  picture?: PreviewPicture;
}

export interface PreviewPicture {
  name: string;
  width: number;
  height: number;
}

/** The card of a link. */
export interface Card {
  url: string;
  html: string;
  /** A bare link to a picture is replaced by it. */
  replacesLink: boolean;
  /** The text of a bare link to a video. */
  label?: string;
}

/** The card for a preview, as clients know it; undefined when there is nothing to show. */
export function cardOf({ url, kind, videoId = '' }: PreviewLink, preview: Preview): Card | undefined {
  const { picture } = preview;
  if (kind === 'page') return preview.title === undefined ? undefined : pageCard(url, preview);
  if (!picture) return undefined;
  const type = kind === 'picture' ? '' : `${kind}-video `;
  const id = kind === 'picture' ? '' : ` data-id="${escapeHtml(videoId)}"`;
  const title = preview.title === undefined ? '' : ` title="${escapeHtml(preview.title)}"`;
  const moves = picture.name.endsWith('.gif') ? ' data-animated="true"' : '';
  const image = `<img${moves} data-original-dimensions="${picture.width}x${picture.height}" src="${pictureUrl(picture.name)}">`;
  const html = `<div class="${type}message_inline_image"><a href="${escapeHtml(url)}"${id}${title}>${image}</a></div>`;
  const labelled = kind !== 'picture' && preview.title !== undefined;
  return {
    url,
    html,
    replacesLink: kind === 'picture',
    ...(labelled && { label: `${kind === 'vimeo' ? 'Vimeo' : 'YouTube'} - ${preview.title}` }),
  };
}

function pageCard(url: string, { title = '', description, picture }: Preview): Card {
  const href = escapeHtml(url);
  const image = picture
    ? `<a class="message_embed_image" href="${href}" style="background-image: url(&quot;${pictureUrl(picture.name)}&quot;)"></a>`
    : '';
  const text =
    description === undefined
      ? ''
      : `<div class="message_embed_description">${escapeHtml(description)}</div>`;
  const head = `<div class="message_embed_title"><a href="${href}" title="${escapeHtml(title)}">${escapeHtml(title)}</a></div>`;
  const html = `<div class="message_embed">${image}<div class="data-container">${head}${text}</div></div>`;
  return { url, html, replacesLink: false };
}

/** The end of the block around a link: cards follow paragraphs, headings and tables, and end the text of a list item. */
const END_OF_BLOCK = /<\/(?:p|h[1-6]|table)>|(?=<\/li>|\n<[ou]l|\n<div|\n<p>)/g;

/** A rendered text with cards, each once and after the block of its link. */
export function withCards(html: string, cards: Card[]): string {
  // The last one first: cards of one paragraph then follow each other in the order of their links.
  return cards.reduceRight((text, card) => (text.includes(card.html) ? text : withCard(text, card)), html);
}

function withCard(given: string, { url, html: card, replacesLink, label }: Card): string {
  const at = findLink(given, `<a href="${hrefOf(url)}"`);
  const html = label === undefined || at < 0 ? given : withLabel(given, at, url, label);
  if (at < 0) return html;
  if (replacesLink) {
    const bare = `<p><a href="${hrefOf(url)}">${textOf(url)}</a></p>`;
    const from = at - '<p>'.length;
    if (html.startsWith(bare, from)) return html.slice(0, from) + card + html.slice(from + bare.length);
  }
  END_OF_BLOCK.lastIndex = at;
  const end = END_OF_BLOCK.exec(html);
  const position = end ? end.index + end[0].length : html.length;
  return `${html.slice(0, position)}\n${card}${html.slice(position)}`;
}

/** The text with the title of a video in place of its bare address. */
function withLabel(html: string, at: number, url: string, label: string): string {
  const start = `<a href="${hrefOf(url)}">`;
  const bare = `${start}${textOf(url)}</a>`;
  if (!html.startsWith(bare, at)) return html;
  return `${html.slice(0, at)}${start}${escapeHtml(label)}</a>${html.slice(at + bare.length)}`;
}

/** The first place of a link outside of quotes. */
function findLink(html: string, link: string): number {
  let depth = 0;
  for (const { 0: found, index } of html.matchAll(/<\/?blockquote>|<a href="[^"]*"/g)) {
    if (found === '<blockquote>') depth++;
    else if (found === '</blockquote>') depth--;
    else if (depth === 0 && found === link) return index;
  }
  return -1;
}

/** As the renderer writes addresses and texts. */
const hrefOf = (url: string): string => textOf(url).replaceAll('"', '&quot;');
const textOf = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
