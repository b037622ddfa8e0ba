import { createHash } from 'node:crypto';

/** The name format of generated pictures, short because messages contain it. */
const GENERATED = /^j(\d{1,10})(-medium)?\.png$/;

/**
 * The generated picture of an account without an uploaded one, by name; undefined when Gravatar provides it.
 * It depends only on the account's number, so it reveals nothing about the address and involves no third
 * party.
 */
export const standInPicture = (
  { settings }: { settings: { default_avatar_source: string } },
  userId: number,
): string | undefined => (settings.default_avatar_source === 'J' ? `j${userId}.png` : undefined);

export const isGenerated = (name: string): boolean => GENERATED.test(name);

/**
 * The content of a generated picture: its size in pixels, its colour and a pattern of five by five fields.
 */
export interface GeneratedPicture {
  size: number;
  colour: [red: number, green: number, blue: number];
  /** Rows of fields; true fields have the colour, the others are light. */
  rows: boolean[][];
}

const SIZE = 100;
const MEDIUM_SIZE = 500;
const FIELDS = 5;

/** The picture for a name; undefined when the name does not denote a generated picture. */
export function describeGenerated(name: string): GeneratedPicture | undefined {
  const [, userId, medium] = GENERATED.exec(name) ?? [];
  if (userId === undefined) return undefined;
  const digits = createHash('sha256').update(`account ${userId}`).digest('hex');
  const bits = Number.parseInt(digits.slice(0, 4), 16);
  const half = Math.ceil(FIELDS / 2);
  const rows = Array.from({ length: FIELDS }, (_, y) =>
    // The right half mirrors the left one, because symmetric patterns are easy to distinguish.
    Array.from({ length: FIELDS }, (_, x) => ((bits >> (y * half + Math.min(x, FIELDS - 1 - x))) & 1) === 1),
  );
  const hue = Number.parseInt(digits.slice(4, 8), 16) % 360;
  return { size: medium ? MEDIUM_SIZE : SIZE, colour: colourOf(hue), rows };
}

/** A colour of medium lightness, which is visible on light and dark backgrounds. */
function colourOf(hue: number): [number, number, number] {
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (0.5 - 0.28 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
