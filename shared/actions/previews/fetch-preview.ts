import { BadImage } from '#shared/domain/errors.ts';
import { serviceVersion } from '#shared/domain/organization/versions.ts';
import { cleanGif } from '#shared/domain/pictures/clean-gif.ts';
import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import { pictureFile, STILL_FORM } from '#shared/domain/pictures/picture.ts';
import type { Preview, PreviewPicture } from '#shared/domain/previews/cards.ts';
import { decodePage } from '#shared/domain/previews/charset.ts';
import type { PreviewLink } from '#shared/domain/previews/links.ts';
import { readPage, readVideoTitle } from '#shared/domain/previews/page.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { type OutsideAnswer, OutsideFailure } from '#shared/runtime/outside/outside.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findPreview, keepPreview } from '#shared/store/previews/previews.ts';

const MAX_PAGE_BYTES = 512 * 1024;
/** The answer of a function holds this much and its encoding. */
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
/** The description of a video as JSON. */
const MAX_DESCRIPTION_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;
const REDIRECTS = 5;
/** Linked pictures can be enlarged; pictures of pages and videos cannot. */
const WHOLE = { width: 1600, height: 1200, fit: 'inside', isSmall: true } as const;
const SMALL = { width: 480, height: 360, fit: 'inside', isSmall: true } as const;

/** The preview of a link, from the cache or from its server. Empty when there is nothing to show. */
export async function loadPreview(services: Services, link: PreviewLink, origin: string): Promise<Preview> {
  const { table, clock } = services;
  const known = await findPreview(table, link, toSeconds(clock.nowMs()));
  if (known) return known;
  const { isWhole, ...preview } = await fetchPreview(services, link, origin);
  await keepPreview(table, link, { preview, isWhole, nowSeconds: toSeconds(clock.nowMs()) });
  return preview;
}

/** A preview, and whether all of it could be fetched. */
type Fetched = Preview & { isWhole: boolean };

const FAILED: Fetched = { isWhole: false };

const fetchPreview = (services: Services, link: PreviewLink, origin: string): Promise<Fetched> =>
  link.kind === 'picture' || link.kind === 'youtube'
    ? fetchPicture(services, link, origin)
    : fetchPage(services, link.source, origin);

/** The preview of a link whose source is a picture. */
async function fetchPicture(
  services: Services,
  { kind, source, titleSource }: PreviewLink,
  origin: string,
): Promise<Fetched> {
  const [picture, title] = await Promise.all([
    keepForeignPicture(services, source, origin, kind === 'picture' ? WHOLE : SMALL),
    titleSource === undefined ? undefined : fetchVideoTitle(services, titleSource, origin),
  ]);
  if (!picture) return FAILED;
  const isWhole = titleSource === undefined || title !== undefined;
  return { picture, ...(title !== undefined && { title }), isWhole };
}

async function fetchPage(services: Services, url: string, origin: string): Promise<Fetched> {
  const answer = await requestPage(services, url, origin, 'text/html', MAX_PAGE_BYTES);
  const type = answer?.headers['content-type'] ?? '';
  if (!answer || !/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return FAILED;
  const { image, ...texts } = readPage(decodePage(answer.body, type), answer.url);
  const picture = image === undefined ? undefined : await keepForeignPicture(services, image, origin, SMALL);
  const isWhole = texts.title !== undefined && (picture !== undefined || image === undefined);
  return { ...texts, ...(picture && { picture }), isWhole };
}

async function fetchVideoTitle(services: Services, url: string, origin: string): Promise<string | undefined> {
  const answer = await requestPage(services, url, origin, 'application/json', MAX_DESCRIPTION_BYTES);
  return answer && readVideoTitle(answer.body);
}

/**
 * Our copy of a picture: encoded again, without metadata. A linked GIF keeps its frames, and its first one is kept beside it.
 * Undefined if it is no picture.
 */
async function keepForeignPicture(
  services: Services,
  url: string,
  origin: string,
  shape: PictureShape,
): Promise<PreviewPicture | undefined> {
  const answer = await requestPage(services, url, origin, 'image/*', MAX_PICTURE_BYTES);
  const type = answer?.headers['content-type'] ?? '';
  if (!answer || !/^\s*image\/(?!svg)/i.test(type)) return undefined;
  try {
    const { width, height, pictures } = await services.images.shrink(answer.body, [shape]);
    const [picture] = pictures;
    if (!picture) return undefined;
    const id = services.ids.uuid();
    const still = `${id}${STILL_FORM}.${picture.format}`;
    const moving = shape === WHOLE ? findMoving(answer.body) : undefined;
    const name = `${id}.${moving ? 'gif' : picture.format}`;
    await services.files.put(pictureFile(name), moving ?? picture.bytes);
    if (moving) await services.files.put(pictureFile(still), picture.bytes);
    return { name, width, height };
  } catch (failure) {
    if (failure instanceof BadImage) return undefined;
    throw failure;
  }
}

/** The animation of a GIF that moves. */
function findMoving(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const { bytes: clean, frames } = cleanGif(bytes);
    return frames > 1 ? clean : undefined;
  } catch (failure) {
    if (failure instanceof BadImage) return undefined;
    throw failure;
  }
}

async function requestPage(
  { outside }: Services,
  url: string,
  origin: string,
  accept: string,
  maxBytes: number,
): Promise<OutsideAnswer | undefined> {
  const agent = `Mozilla/5.0 (compatible; ZulipURLPreview/${serviceVersion}; +${origin})`;
  try {
    const answer = await outside.call({
      url,
      method: 'GET',
      headers: { 'user-agent': agent, accept },
      redirects: REDIRECTS,
      maxBytes,
      ifLonger: accept === 'text/html' ? 'cut' : 'fail',
      timeoutMs: TIMEOUT_MS,
    });
    return answer.status >= 200 && answer.status < 300 ? answer : undefined;
  } catch (failure) {
    if (failure instanceof OutsideFailure) return undefined;
    throw failure;
  }
}
