import { useState } from 'preact/hooks';
import { openDialog } from '#web/parts/dialog.tsx';
import { isModified, sideways } from '#web/parts/direction.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { t } from '#web/texts/texts.ts';

interface Picture {
  source: string;
  name: string;
}

/** Pictures of videos are links to them. */
export const PICTURES = 'img.inline-image, .message_inline_image:not(.youtube-video, .vimeo-video) img';

function pictureOf(image: HTMLImageElement): Picture {
  const link = image.closest('a');
  return {
    source: image.dataset.originalSrc ?? ownAddressOf(link) ?? image.src,
    name: link?.title || image.alt || t('common.picture'),
  };
}

/** The larger form of a picture; of a foreign one there is our copy alone. */
const ownAddressOf = (link: HTMLAnchorElement | null): string | undefined =>
  link?.origin === location.origin ? (link.getAttribute('href') ?? undefined) : undefined;

/** Shows a picture as large as the window, with the others of the feed before and after it. */
export function openPicture(image: HTMLImageElement): void {
  const around = image.closest('.feed') ?? image.parentElement;
  const images = [...(around?.querySelectorAll<HTMLImageElement>(PICTURES) ?? [image])];
  openAt(images.map(pictureOf), Math.max(0, images.indexOf(image)));
}

/** Shows the first picture of a message; does nothing if there is none. */
export function openPicturesOf(row: HTMLElement): void {
  const first = row.querySelector<HTMLImageElement>(PICTURES);
  if (first) openPicture(first);
}

const openAt = (pictures: Picture[], first: number): void =>
  openDialog(t('common.picture'), () => <Viewer pictures={pictures} first={first} />, true);

function Viewer({ pictures, first }: { pictures: Picture[]; first: number }) {
  const [index, setIndex] = useState(first);
  const step = (by: number): void => setIndex(Math.min(pictures.length - 1, Math.max(0, index + by)));
  const picture = pictures[index];
  if (!picture) return null;
  return (
    <section
      class="viewer"
      aria-label={t('feed.pictureNumberOfCount', {
        picture: picture.name,
        number: index + 1,
        count: pictures.length,
      })}
      tabIndex={-1}
      ref={(element) => {
        if (element && !element.contains(document.activeElement)) element.focus();
      }}
      onKeyDown={(event) => {
        if (isModified(event)) return;
        const way = sideways(event.key);
        if (way === 'on' || event.key === 'ArrowDown') step(1);
        else if (way === 'back' || event.key === 'ArrowUp') step(-1);
        else if (event.key === 'Home') setIndex(0);
        else if (event.key === 'End') setIndex(pictures.length - 1);
        else return;
        event.preventDefault();
      }}
    >
      <img src={picture.source} alt={picture.name} />
      <div class="viewer-foot">
        <span class="viewer-name">{picture.name}</span>
        {pictures.length > 1 && (
          <>
            <IconButton icon="chevron-left" label={t('feed.previousPicture')} onClick={() => step(-1)} />
            <span role="status">
              {t('feed.numberOfCount', { number: index + 1, count: pictures.length })}
            </span>
            <IconButton icon="chevron-right" label={t('feed.nextPicture')} onClick={() => step(1)} />
          </>
        )}
        <a class="button" href={picture.source} target="_blank" rel="noopener noreferrer">
          <Icon name="external-link" />
          {t('feed.openTheOriginal')}
        </a>
      </div>
    </section>
  );
}
