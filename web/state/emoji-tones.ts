/** 0 is the color of the emoji itself; the others are the modifiers of Unicode, from light to dark. */
export const SKIN_TONES = [0, 1, 2, 3, 4, 5] as const;
export type SkinTone = (typeof SKIN_TONES)[number];

const BEFORE_LIGHTEST = 0x1f3fa;

/** The tone that a device keeps; no tone if it keeps none. */
export const readTone = (kept: string | null): SkinTone =>
  SKIN_TONES.find((tone) => String(tone) === kept) ?? 0;

/** The code of an emoji in a skin tone, as `1f44d-1f3fd`. The emoji must have tones. */
export function withTone(code: string, tone: SkinTone): string {
  const [first = '', ...others] = code.split('-').filter((point) => point !== 'fe0f');
  return tone === 0 ? code : [first, (BEFORE_LIGHTEST + tone).toString(16), ...others].join('-');
}
