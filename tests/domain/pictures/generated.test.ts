import { expect, test } from 'vitest';
import { describeGenerated } from '#shared/domain/pictures/generated.ts';

const pictures = Array.from({ length: 300 }, (_, userId) => describeGenerated(`j${userId}.png`)!);
const hueOf = ([red, green, blue]: number[]): number => {
  const [most, least] = [Math.max(red!, green!, blue!), Math.min(red!, green!, blue!)];
  const apart = most - least;
  if (most === red) return (60 * ((green! - blue!) / apart) + 360) % 360;
  return most === green ? 60 * ((blue! - red!) / apart + 2) : 60 * ((red! - green!) / apart + 4);
};

test('Generated pictures of people have colours of the same lightness and strength', () => {
  // A half of the full light, and 28 % of it to both sides.
  const [brightest, darkest] = [0.78 * 255, 0.22 * 255];
  for (const { colour } of pictures) {
    const [most, least] = [Math.max(...colour), Math.min(...colour)];
    expect(Math.abs(most - brightest), String(colour)).toBeLessThanOrEqual(1);
    expect(Math.abs(least - darkest), String(colour)).toBeLessThanOrEqual(1);
  }
});

test('Generated pictures of people have colours of all hues', () => {
  const hues = pictures.map(({ colour }) => Math.floor(hueOf(colour) / 30));
  for (let hue = 0; hue < 12; hue++) expect(hues.filter((one) => one === hue).length).toBeGreaterThan(8);
});
