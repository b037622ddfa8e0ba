import { createHash } from 'node:crypto';

/** What a generated picture is called. Messages name it, so it is short. */
const GENERATED = /^j(\d{1,10})(-medium)?\.png$/;

/**
 * The picture that stands for an account without one of its own, by name; undefined where Gravatar has it. It is made of
 * the number of the account, so that no third party learns who is who, and nothing of an address can be told from it.
 */
export const standInPicture = (
  { settings }: { settings: { default_avatar_source: string } },
  userId: number,
): string | undefined => (settings.default_avatar_source === 'J' ? `j${userId}.png` : undefined);

export const isGenerated = (name: string): boolean => GENERATED.test(name);

/** What a generated picture shows: how many pixels it is wide and high, its colour, and a pattern of five by five fields. */
export interface GeneratedPicture {
  size: number;
  colour: [red: number, green: number, blue: number];
  /** Rows of fields; those that are set have the colour, the others are light. */
  rows: boolean[][];
}

const SIZE = 100;
const MEDIUM_SIZE = 500;
const FIELDS = 5;

/** What the picture of a name shows; undefined for a name that is none of a generated picture. */
export function describeGenerated(name: string): GeneratedPicture | undefined {
  const [, userId, medium] = GENERATED.exec(name) ?? [];
  if (userId === undefined) return undefined;
  const digits = createHash('sha256').update(`account ${userId}`).digest('hex');
  const bits = Number.parseInt(digits.slice(0, 4), 16);
  const half = Math.ceil(FIELDS / 2);
  const rows = Array.from({ length: FIELDS }, (_, y) =>
    // The right half mirrors the left one: such patterns are easily told apart.
    Array.from({ length: FIELDS }, (_, x) => ((bits >> (y * half + Math.min(x, FIELDS - 1 - x))) & 1) === 1),
  );
  const hue = Number.parseInt(digits.slice(4, 8), 16) % 360;
  return { size: medium ? MEDIUM_SIZE : SIZE, colour: colourOf(hue), rows };
}

/** A colour of middle lightness, which both light and dark backgrounds set off. */
function colourOf(hue: number): [number, number, number] {
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (0.5 - 0.28 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
