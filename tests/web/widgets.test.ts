import { describe, expect, test } from 'vitest';
import { type Poll, readWidget, type Todo } from '#web/state/feed/widgets.ts';
import type { Submessage } from '#web/state/wire-messages.ts';

const AUTHOR = 2;

/** Submessages in the order of their ids, each of a sender. */
const played = (...steps: [senderId: number, content: unknown][]) =>
  readWidget(
    steps.map(
      ([sender_id, content], index): Submessage => ({
        ...{ id: index + 1, sender_id, msg_type: 'widget' },
        content: typeof content === 'string' ? content : JSON.stringify(content),
      }),
    ),
    AUTHOR,
  );

const pollOf = (extra_data: unknown, ...steps: [number, unknown][]) =>
  played([AUTHOR, { widget_type: 'poll', extra_data }], ...steps) as Poll;
const todoOf = (extra_data: unknown, ...steps: [number, unknown][]) =>
  played([AUTHOR, { widget_type: 'todo', extra_data }], ...steps) as Todo;

test.each([
  ['nothing', []],
  ['no JSON', ['{']],
  ['a list', ['[]']],
  ['a number', ['7']],
  ['null', ['null']],
  ['a widget of another year', [{ widget_type: 'quiz', extra_data: {} }]],
])('Submessages that start with %s create no widget', (_what, contents) => {
  expect(played(...contents.map((content): [number, unknown] => [AUTHOR, content]))).toBeUndefined();
});

test('Submessages apply in the order of their ids, however they came', () => {
  const begin = { id: 1, sender_id: AUTHOR, msg_type: 'widget', content: '{"widget_type":"poll"}' };
  const option = { ...begin, id: 2, content: '{"type":"new_option","idx":1,"option":"rice"}' };
  const poll = readWidget([option, begin], AUTHOR) as Poll;
  expect(poll.options.map(({ key }) => key)).toEqual([`${AUTHOR},1`]);
});

describe('A poll', () => {
  const lunch = { question: 'Lunch?', options: ['soup', 'rice'] };
  const votersOf = ({ options }: Poll) => options.map(({ voters }) => voters);

  test('Can be renamed by its author only', () => {
    const rename = { type: 'question', question: 'Dinner?' };
    expect(pollOf(lunch, [3, rename]).question).toBe('Lunch?');
    expect(pollOf(lunch, [AUTHOR, rename]).question).toBe('Dinner?');
    expect(pollOf(lunch, [AUTHOR, { type: 'new_option', idx: 1, option: 'x' }]).question).toBe('Lunch?');
  });

  test('Counts a vote until it is withdrawn, each person for each option', () => {
    const vote = (index: number, value: number) => ({ type: 'vote', key: `canned,${index}`, vote: value });
    const steps: [number, unknown][] = [
      [3, vote(0, 1)],
      [4, vote(0, 1)],
      [3, vote(1, 1)],
    ];
    expect(votersOf(pollOf(lunch, ...steps))).toEqual([[3, 4], [3]]);
    expect(votersOf(pollOf(lunch, ...steps, [3, vote(0, -1)]))).toEqual([[4], [3]]);
    expect(votersOf(pollOf(lunch, [3, vote(7, 1)]))).toEqual([[], []]);
    expect(votersOf(pollOf(lunch, [3, { ...vote(0, 1), type: 'strike' }]))).toEqual([[], []]);
  });

  test('Adds an option once, and each person numbers their own', () => {
    const option = (idx: number, text: string) => ({ type: 'new_option', idx, option: text });
    const poll = pollOf(lunch, [3, option(1, 'fish')], [3, option(4, 'soup')], [4, option(6, 'pie')]);
    const options = poll.options.map(({ key, option: text }) => `${key} ${text}`);
    expect(options).toEqual(['canned,0 soup', 'canned,1 rice', '3,1 fish', '4,6 pie']);
    expect([2, 3, 4].map(poll.nextIndex)).toEqual([1, 2, 7]);
  });

  test.each([[undefined], [7], [null], [[]], [{ question: 7, options: 'soup' }]])(
    'Starts empty with %j',
    (extra) => expect(pollOf(extra)).toMatchObject({ question: '', options: [] }),
  );

  test('Leaves out malformed submessages', () => {
    const poll = pollOf({ question: 'Lunch?', options: [7] }, [3, { type: 7 }], [3, 'no JSON'], [3, []]);
    expect(poll).toMatchObject({ question: 'Lunch?', options: [{ option: '', voters: [] }] });
  });
});

describe('A list of tasks', () => {
  const shop = { task_list_title: 'Shop', tasks: [{ task: 'milk', desc: 'two' }] };
  const milk = { key: '0,canned', task: 'milk', desc: 'two', isDone: false };

  test('Can be renamed by its author only', () => {
    const rename = { type: 'new_task_list_title', title: 'Market' };
    expect(todoOf(shop, [3, rename]).title).toBe('Shop');
    expect(todoOf(shop, [AUTHOR, rename]).title).toBe('Market');
    expect(todoOf(shop, [AUTHOR, { type: 'strike', key: '0,canned' }]).title).toBe('Shop');
  });

  test('Adds a task once, and each person numbers their own', () => {
    const task = (key: number, text: string) => ({ type: 'new_task', key, task: text, desc: 'more' });
    const todo = todoOf(shop, [3, task(2, 'eggs')], [3, task(5, 'milk')], [4, task(8, 'tea')]);
    expect(todo.tasks).toEqual([
      milk,
      { key: '2,3', task: 'eggs', desc: 'more', isDone: false },
      { key: '8,4', task: 'tea', desc: 'more', isDone: false },
    ]);
    expect([2, 3, 4].map(todo.nextKey)).toEqual([1, 3, 9]);
  });

  test('Checks a task, and opens it again with the second check', () => {
    const strike = (key: string) => [3, { type: 'strike', key }] as [number, unknown];
    const isDone = (...steps: [number, unknown][]) => todoOf(shop, ...steps).tasks[0]?.isDone;
    expect(isDone(strike('0,canned'))).toBe(true);
    expect(isDone(strike('0,canned'), strike('0,canned'))).toBe(false);
    expect(isDone(strike('1,canned'))).toBe(false);
    expect(isDone([3, { type: 'vote', key: '0,canned' }])).toBe(false);
  });

  test('Leaves out malformed submessages', () => {
    const todo = todoOf({ tasks: ['milk', { task: 7, desc: 7 }, null] });
    const empty = { task: '', desc: '' };
    expect(todo).toMatchObject({ title: '', tasks: [empty, empty, empty] });
    expect(todoOf([]).tasks).toEqual([]);
  });
});
