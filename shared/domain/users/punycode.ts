/** The parameters of RFC 3492, section 5. */
const BASE = 36;
const MIN_THRESHOLD = 1;
const MAX_THRESHOLD = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE_POINT = 128;
const LAST_CODE_POINT = 0x10ffff;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Decodes a label of a domain without its prefix `xn--` (RFC 3492); undefined for invalid ones. */
export function decodePunycode(label: string): string | undefined {
  const delimiter = label.lastIndexOf('-');
  const points = [...label.slice(0, Math.max(0, delimiter))].map(
    (character) => character.codePointAt(0) ?? 0,
  );
  let [next, index, bias] = [FIRST_CODE_POINT, 0, FIRST_BIAS];
  for (let at = delimiter + 1; at < label.length; ) {
    const number = readNumber(label, at, bias);
    if (!number) return undefined;
    const count = points.length + 1;
    bias = adapt(number.value, count, next === FIRST_CODE_POINT && index === 0);
    index += number.value;
    next += Math.floor(index / count);
    index %= count;
    if (next > LAST_CODE_POINT) return undefined;
    points.splice(index++, 0, next);
    at = number.end;
  }
  return String.fromCodePoint(...points);
}

/** Reads a number of variable length, the lowest digit first. */
function readNumber(label: string, start: number, bias: number): { value: number; end: number } | undefined {
  let [value, weight] = [0, 1];
  for (let at = start; at < label.length; at++) {
    const digit = DIGITS.indexOf(label[at] ?? '');
    if (digit < 0) return undefined;
    value += digit * weight;
    const threshold = Math.min(MAX_THRESHOLD, Math.max(MIN_THRESHOLD, (at - start + 1) * BASE - bias));
    if (digit < threshold) return { value, end: at + 1 };
    weight *= BASE - threshold;
  }
  return undefined;
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / count);
  let bias = 0;
  for (; rest > ((BASE - MIN_THRESHOLD) * MAX_THRESHOLD) / 2; bias += BASE)
    rest = Math.floor(rest / (BASE - MIN_THRESHOLD));
  return bias + Math.floor(((BASE - MIN_THRESHOLD + 1) * rest) / (rest + SKEW));
}
