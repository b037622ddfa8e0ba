/** Whether the window is as narrow as that of a telephone: what opens there comes from below. */
export const isNarrow = (): boolean => matchMedia('(max-width: 720px)').matches;

/** Whether fingers use the page: a field that has the focus then brings a keyboard, which covers what opened. */
export const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches;
