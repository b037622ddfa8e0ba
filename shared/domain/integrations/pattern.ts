/** Longer patterns are no names of events. */
const MAX_PATTERN_LENGTH = 200;

/** Whether a name fits a shell pattern: `*` for any text, `?` for one character, `[ab]` for one of several. */
export function fitsPattern(pattern: string, name: string): boolean {
  const units = unitsOf(pattern.slice(0, MAX_PATTERN_LENGTH));
  const characters = [...name.slice(0, MAX_PATTERN_LENGTH)];
  let unit = 0;
  let at = 0;
  let star: { unit: number; at: number } | undefined;
  while (at < characters.length) {
    const current = units[unit];
    if (current === '*') {
      star = { unit, at };
      unit++;
    } else if (current !== undefined && fits(current, characters[at] ?? '')) {
      unit++;
      at++;
    } else if (star) {
      star.at++;
      at = star.at;
      unit = star.unit + 1;
    } else return false;
  }
  return units.slice(unit).every((rest) => rest === '*');
}

const unitsOf = (pattern: string): string[] => pattern.match(/\[!?[^\]]+\]|./gsu) ?? [];

function fits(unit: string, character: string): boolean {
  if (unit === '?') return true;
  if (unit.length === 1 || !unit.startsWith('[')) return unit === character;
  const isNegated = unit.startsWith('[!');
  const members = unit.slice(isNegated ? 2 : 1, -1);
  return isMember(members, character) !== isNegated;
}

function isMember(members: string, character: string): boolean {
  for (const [, from = '', to = from] of members.matchAll(/(.)(?:-(.))?/gsu))
    if (from <= character && character <= to) return true;
  return false;
}
