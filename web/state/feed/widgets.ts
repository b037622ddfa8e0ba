import type { Submessage } from '../wire-messages.ts';

export interface Poll {
  type: 'poll';
  question: string;
  options: { key: string; option: string; voters: number[] }[];
  /** The number by which a person names the next option that they add. */
  nextIndex: (userId: number) => number;
}

export interface Todo {
  type: 'todo';
  title: string;
  tasks: { key: string; task: string; desc: string; isDone: boolean }[];
  nextKey: (userId: number) => number;
}

type Step = Record<string, unknown> & { type: string; senderId: number };

/** Replays the submessages of a message; undefined if they form no widget. Malformed ones are skipped. */
export function readWidget(submessages: Submessage[], senderId: number): Poll | Todo | undefined {
  const [first, ...rest] = [...submessages].sort((a, b) => a.id - b.id);
  const begin = first && parse(first.content);
  if (!begin) return undefined;
  const steps = rest.flatMap(({ content, sender_id }): Step[] => {
    const parsed = parse(content);
    return parsed && typeof parsed.type === 'string'
      ? [{ ...parsed, type: parsed.type, senderId: sender_id }]
      : [];
  });
  const extra = isRecord(begin.extra_data) ? begin.extra_data : {};
  if (begin.widget_type === 'poll') return playPoll(extra, steps, senderId);
  if (begin.widget_type === 'todo') return playTodo(extra, steps, senderId);
  return undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function parse(content: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function playPoll(extra: Record<string, unknown>, steps: Step[], ownerId: number): Poll {
  let question = text(extra.question);
  const options = list(extra.options).map((option, index) => ({
    key: `canned,${index}`,
    option: text(option),
    voters: [] as number[],
  }));
  for (const step of steps) {
    if (step.type === 'question' && step.senderId === ownerId) question = text(step.question);
    if (step.type === 'new_option' && !options.some(({ option }) => option === step.option))
      options.push({ key: `${step.senderId},${step.idx}`, option: text(step.option), voters: [] });
    const voted = step.type === 'vote' ? options.find(({ key }) => key === step.key) : undefined;
    if (!voted) continue;
    voted.voters = voted.voters.filter((id) => id !== step.senderId);
    if (step.vote === 1) voted.voters.push(step.senderId);
  }
  const indexes = (userId: number): number[] =>
    options
      .map(({ key }) => key.split(','))
      .filter(([id]) => Number(id) === userId)
      .map(([, index]) => Number(index));
  return { type: 'poll', question, options, nextIndex: (userId) => Math.max(0, ...indexes(userId)) + 1 };
}

function playTodo(extra: Record<string, unknown>, steps: Step[], ownerId: number): Todo {
  let title = text(extra.task_list_title);
  const tasks = list(extra.tasks).map((entry, index) => ({
    key: `${index},canned`,
    task: text(isRecord(entry) ? entry.task : ''),
    desc: text(isRecord(entry) ? entry.desc : ''),
    isDone: false,
  }));
  for (const step of steps) {
    if (step.type === 'new_task_list_title' && step.senderId === ownerId) title = text(step.title);
    if (step.type === 'new_task' && !tasks.some(({ task }) => task === step.task))
      tasks.push({
        key: `${step.key},${step.senderId}`,
        task: text(step.task),
        desc: text(step.desc),
        isDone: false,
      });
    const struck = step.type === 'strike' ? tasks.find(({ key }) => key === step.key) : undefined;
    if (struck) struck.isDone = !struck.isDone;
  }
  const keys = (userId: number): number[] =>
    tasks
      .map(({ key }) => key.split(','))
      .filter(([, id]) => Number(id) === userId)
      .map(([key]) => Number(key));
  return { type: 'todo', title, tasks, nextKey: (userId) => Math.max(0, ...keys(userId)) + 1 };
}
