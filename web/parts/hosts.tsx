import { useLayoutEffect } from 'preact/hooks';
import { isDialogOpen } from './dialog.tsx';
import { DialogHost } from './dialog-host.tsx';
import { watchKeyboard } from './keyboard.ts';
import { LayerHost } from './layer-host.tsx';

/** Dialogs and layers. A dialog has the layers that open from it: all else is out of reach meanwhile. */
export function Hosts() {
  useLayoutEffect(watchKeyboard, []);
  return (
    <>
      <DialogHost />
      {!isDialogOpen() && <LayerHost />}
    </>
  );
}
