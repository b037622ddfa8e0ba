import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
/** These three decide together, without effects: they are one layer. */
const PURE = ['domain', 'events', 'markdown'];
const IMPORT = /(?:from|import)\s*\(?\s*'([#.][^']+\.ts)'/g;

const roomOf = (file: string): string => {
  const [top = '', room = ''] = file.split('/');
  return top === 'shared' ? room : top;
};

function listArrows(): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const file of globSync('{shared,functions}/**/*.ts', { cwd: PROJECT })) {
    const room = roomOf(file);
    const reached = arrows.get(room) ?? new Set();
    for (const [, path = ''] of readFileSync(join(PROJECT, file), 'utf8').matchAll(IMPORT)) {
      const target = roomOf(path.startsWith('#') ? path.slice(1) : normalize(join(dirname(file), path)));
      if (target !== room) reached.add(target);
    }
    arrows.set(room, reached);
  }
  return arrows;
}

/** The lines `room → rooms` of the drawing, from top to bottom. */
function readDrawing(): [string, string[]][] {
  const page = readFileSync(join(PROJECT, 'docs/architecture.md'), 'utf8');
  const drawing = /## Layers[\s\S]*?```\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  return drawing
    .trim()
    .split('\n')
    .map((line) => {
      const [room = '', reached = ''] = line.split('→').map((part) => part.trim());
      return [room, reached.split(' ').filter(Boolean)];
    });
}

test('The drawing of the layers shows every import between rooms, and no other', () => {
  const drawn = readDrawing().map(([room, reached]) => [room, reached.toSorted()]);
  const found = [...listArrows()].map(([room, reached]) => [room, [...reached].sort()]);
  expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(found));
});

test('Every arrow of the drawing points down', () => {
  const drawing = readDrawing();
  const order = drawing.map(([room]) => room);
  const upward = drawing.flatMap(([room, reached]) =>
    reached
      .filter((target) => order.indexOf(target) < order.indexOf(room))
      .filter((target) => !(PURE.includes(room) && PURE.includes(target)))
      .map((target) => `${room} → ${target}`),
  );
  expect(upward).toEqual([]);
});
