import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useServer } from '#web/net/store.ts';
import { IconButton } from '#web/parts/icon.tsx';
import { closeLayer, openLayer } from '#web/parts/layer.tsx';
import { type Gif, gifProviderOf, gifText } from '#web/state/gifs.ts';
import { t } from '#web/texts/texts.ts';
import { writeInto } from './text.ts';

/** Adds a GIF to the message; absent if the service has no provider of GIFs. */
export function GifButton({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const provider = useServer(gifProviderOf);
  if (provider === undefined) return null;
  return (
    <IconButton
      icon="image-play"
      label={t('compose.insertAGif')}
      onClick={(event) => openGifs(event.currentTarget, field, provider)}
    />
  );
}

/** Opens the picker of GIFs for a message. */
export function openGifs(
  anchor: Element,
  field: RefObject<HTMLTextAreaElement | null>,
  provider: string,
): void {
  const choose = (gif: Gif): void => {
    closeLayer();
    if (field.current) writeInto(field.current, gifText(gif));
  };
  openLayer(anchor, t('compose.gifs'), () => <LatePicker provider={provider} choose={choose} />);
}

type Picker = typeof import('./gif-picker.tsx').GifPicker;

/** The picker is loaded when it is first used. */
function LatePicker(props: { provider: string; choose: (gif: Gif) => void }) {
  const [loaded, setLoaded] = useState<{ Picker: Picker }>();
  useEffect(() => {
    void import('./gif-picker.tsx').then(({ GifPicker }) => setLoaded({ Picker: GifPicker }));
  }, []);
  if (!loaded) return <div class="gif-picker" aria-busy="true" />;
  return <loaded.Picker {...props} />;
}
