import type { Delivery, Note } from './integration.ts';
import type { Payload } from './payload.ts';
import {
  bullets,
  code,
  counted,
  enumerate,
  inline,
  line,
  link,
  paragraphs,
  sentence,
  shortHash,
  words,
} from './words.ts';

/** More commits are counted only. */
const MAX_COMMITS = 20;
const MAX_AUTHORS = 3;

export interface Commit {
  author: string;
  message: string;
  hash: string;
  url?: string | undefined;
}

/** The name of a branch or tag without the folder of references. */
export const refName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

export const isZero = (hash: string): boolean => /^0{20,}$/.test(hash);

export const branchTopic = (repository: string, branch: string): string => `${repository} / ${branch}`;
export const issueTopic = (repository: string, number: string, title: string): string =>
  `${repository} / issue #${number} ${title}`;
export const requestTopic = (repository: string, number: string, title: string, kind = 'PR'): string =>
  `${repository} / ${kind} #${number}${title === '' ? '' : ` ${title}`}`;

/** Whether the address wants events of a branch. */
export function wantsBranch(delivery: Delivery, branch: string): boolean {
  const wanted = delivery.option('branches');
  if (wanted === undefined || wanted.trim() === '') return true;
  return wanted.split(',').some((part) => part.trim() === branch);
}

export interface Push {
  person: string;
  branch: string;
  url?: string | undefined;
  commits: Commit[];
  /** If it is more than the listed ones. */
  count?: number;
  isForced?: boolean;
  isDeleted?: boolean;
  /** The repository, if the text has to name it. */
  of?: string | undefined;
}

/** A push to a branch, with its commits. */
export function push({ person, branch, url, commits, count, isForced, isDeleted, of }: Push): string {
  if (isDeleted) return `${inline(person)} ${link('deleted', url)} the branch ${inline(branch)}.`;
  const did = link(isForced ? 'force pushed' : 'pushed', url);
  const total = count ?? commits.length;
  if (total === 0) return `${inline(person)} ${did} the branch ${inline(branch)}.`;
  const authors = authorsOf(commits, person, total);
  const head = `${inline(person)} ${did} ${counted(total, 'commit')} to branch ${inline(branch)}${of ? ` of ${of}` : ''}.`;
  const shown = commits
    .slice(0, MAX_COMMITS)
    .map(
      ({ message, hash, url: target }) =>
        `${inline(line(message.split('\n')[0] ?? ''))} (${link(shortHash(hash), target)})`,
    );
  const rest = total - shown.length;
  return paragraphs(
    authors === '' ? head : `${head} ${authors}`,
    bullets(rest > 0 ? [...shown, `\\[and ${rest} more commit(s)\\]`] : shown),
  );
}

/** The authors by their number of commits; nothing if the person who pushed is the only one. */
function authorsOf(commits: Commit[], person: string, total: number): string {
  const counts = new Map<string, number>();
  for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && counts.has(person))) return '';
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const shown = sorted.slice(0, MAX_AUTHORS);
  const rest = total - shown.reduce((sum, [, count]) => sum + count, 0);
  const names = [...shown, ...(rest > 0 ? [['others', rest] as const] : [])];
  return `Commits by ${enumerate(names.map(([name, count]) => `${inline(name)} (${count})`))}.`;
}

export const pushedTag = (person: string, tag: string, url?: string, action = 'pushed'): string =>
  sentence(`${inline(person)} ${action} tag ${link(tag, url)}`);

export const createdBranch = (person: string, branch: string, url?: string): string =>
  `${inline(person)} created ${link(branch, url)} branch.`;

export interface Change {
  person: string;
  action: string;
  /** `PR`, `MR`, `issue`, … */
  kind: string;
  number: string;
  title: string;
  url?: string | undefined;
  /** Whether the sentence names the title. */
  isTitled: boolean;
  head?: string | undefined;
  base?: string | undefined;
  assignees?: string[];
  reviewers?: string[];
  /** Between the action and the subject: "to", "from", with a name. */
  assigned?: string | undefined;
  text?: string | undefined;
}

/** The change that a person made to a pull request or issue. */
export function changed(change: Change): string {
  const { person, action, kind, number, title, url, isTitled, head, base, assigned, text } = change;
  const subject = link(`${kind} #${number}${isTitled && title !== '' ? ` ${title}` : ''}`, url);
  const branches = head !== undefined && base !== undefined && `from ${code(head)} to ${code(base)}`;
  return sentence(words(inline(person), action, assigned, subject, branches, people(change)), text);
}

function people({ assignees = [], reviewers = [] }: Change): string {
  const parts = [
    assignees.length > 0 && `assigned to ${enumerate(assignees.map(inline))}`,
    reviewers.length > 0 && `assigned reviewers: ${enumerate(reviewers.map(inline))}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `(${parts.join('; ')})`;
}

/** A label was added to or removed from an issue or pull request. */
export const labeled = (
  person: string,
  url: string | undefined,
  isAdded: boolean,
  label: string,
  subject: string,
): string =>
  `${link(person, url)} ${isAdded ? 'added' : 'removed'} the ${inline(label)} label ${isAdded ? 'to' : 'from'} ${subject}.`;

/** A person's comment on a commit. */
export const commentedOnCommit = (
  person: string,
  url: string | undefined,
  commit: string,
  text: string,
  action = 'commented',
): string => sentence(`${inline(person)} ${link(action, url)} on ${commit}`, text);

export const note = (topic: string, content: string): Note => ({ topic, content });

/** The names of people in a list. */
export const namesOf = (list: Payload[], field: string): string[] =>
  list.flatMap((member) => member.find(field) ?? []);
