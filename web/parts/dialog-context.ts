import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Closes one dialog and no other, also if it was left while its form is being sent. */
export type Close = () => void;

/** The ways of the contents of a dialog to end it. */
export interface DialogControl {
  close: Close;
  /** Ends a dialog that was left while its form was being sent, or says why it failed and offers to open it again. */
  endSending(failure?: string): void;
}

/** Outside of dialogs there is nothing to close. */
export const DialogContext = createContext<DialogControl>({
  close: () => undefined,
  endSending: () => undefined,
});

export const useDialog = (): DialogControl => useContext(DialogContext);

/** The function that closes the dialog around a component. */
export const useClose = (): Close => useDialog().close;
