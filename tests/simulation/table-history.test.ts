import { describe, expect, test } from 'vitest';
import type { Item } from '#shared/table/table.ts';
import { TableHistory } from './tables/table-history.ts';

const key = { pk: 'P', sk: '1' };
const always = (atMs: number) => () => atMs;

describe('The history of a table', () => {
  test('Returns an item as of any time, with updates and deletion', () => {
    const history = new TableHistory();
    history.record([{ kind: 'put', item: { ...key, n: 1, ids: new Set([1, 2]), gone: true } }], 10);
    const add = { n: 2, ids: new Set([3]) };
    history.record([{ kind: 'update', key, set: { name: 'a' }, remove: ['gone'], add }], 20);
    history.record([{ kind: 'update', key, take: { ids: new Set([1, 2, 3]) } }], 30);
    history.record([{ kind: 'delete', key }], 40);
    const states = [9, 10, 20, 30, 40].map((atMs) => history.find(key, atMs));
    expect(states).toEqual([
      undefined,
      { ...key, n: 1, ids: new Set([1, 2]), gone: true },
      { ...key, n: 3, ids: new Set([1, 2, 3]), name: 'a' },
      { ...key, n: 3, name: 'a' },
      undefined,
    ]);
  });

  test('Does not change with later changes of an item outside', () => {
    const history = new TableHistory();
    const item = { ...key, list: [1] };
    history.record([{ kind: 'put', item }], 10);
    item.list.push(2);
    (history.find(key, 10) as typeof item).list.push(3);
    expect(history.find(key, 10)).toEqual({ ...key, list: [1] });
  });

  test('Answers queries of the table and of indexes within their bounds, as of a time', () => {
    const history = new TableHistory();
    const put = (sk: string, more: Item, atMs: number) =>
      history.record([{ kind: 'put', item: { pk: 'P', sk, ...more } }], atMs);
    put('b', { inChannel: 'C1' }, 10);
    put('a', { inChannel: 'C1' }, 20);
    put('c', { inChannel: 'C2' }, 20);
    put('b', { inChannel: 'C2' }, 30);
    const found = (query: object, atMs: number) =>
      history.list({ partition: 'P', ...query }, always(atMs)).map(({ sk }) => sk);
    expect(found({}, 10)).toEqual(['b']);
    expect(found({}, 20)).toEqual(['a', 'b', 'c']);
    expect(found({ from: 'b' }, 20)).toEqual(['b', 'c']);
    expect(found({ to: 'b', backwards: true }, 20)).toEqual(['b', 'a']);
    expect(found({ prefix: 'c' }, 20)).toEqual(['c']);
    expect(found({ limit: 1 }, 20)).toEqual(['a']);
    expect(found({ index: 'byChannel', partition: 'C1' }, 20)).toEqual(['a', 'b']);
    expect(found({ index: 'byChannel', partition: 'C1' }, 30)).toEqual(['a']);
    expect(found({ index: 'byChannel', partition: 'C2' }, 30)).toEqual(['b', 'c']);
  });
});
