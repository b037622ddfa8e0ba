import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../docs/decisions');
export const DECISIONS_PAGE = join(FOLDER, 'README.md');

/** The records of each part of the project by number; records not listed here come last. */
const areas: [string, number[]][] = [
  ['The log and its events', [1, 2, 3, 4, 5, 11, 13, 14, 43, 53, 65]],
  ['Messages and reading', [17, 18, 19, 26, 28, 47, 49, 50, 52]],
  ['Text, emoji and pictures', [27, 29, 34, 48, 54, 57, 58]],
  ['People, groups and permissions', [20, 21, 22, 24, 30, 32, 36, 63]],
  ['Channels, and what users keep', [23, 25]],
  ['Files, mail, notifications and exports', [31, 33, 35, 37, 51, 55, 56]],
  ['The API', [10, 15, 16, 40, 45, 61, 62, 67]],
  ['Security', [6, 59, 60, 70, 71, 74]],
  ['Work behind requests', [7, 8, 64]],
  ['Limits and cost', [12, 46, 66, 68, 69, 72, 93]],
  ['Deployment and bundles', [9, 38, 76, 77, 84, 85, 86, 87, 88, 89, 92, 97, 131]],
  ['Structure and tests', [39, 41, 42, 44, 78, 95, 101]],
];

interface DecisionRecord {
  file: string;
  number: number;
  title: string;
  /** The first paragraph without its introductory word. */
  decision: string;
}

/** The records by number. */
export function listDecisions(): DecisionRecord[] {
  const files = readdirSync(FOLDER).filter((file) => /^\d{4}-.*\.md$/.test(file));
  return files.toSorted().map((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const [, title = '', decision = ''] = /^# \d{4}: (.*)\n\n([^\n]+(?:\n[^\n]+)*)/.exec(text) ?? [];
    return {
      file,
      number: Number(file.slice(0, 4)),
      title,
      decision: decision.replace('**Decision.** ', ''),
    };
  });
}

const firstSentence = ({ decision }: DecisionRecord): string =>
  /^[\s\S]*?[.](?=\s|$)/.exec(decision)?.[0].replaceAll('\n', ' ') ?? '';

const describeRecord = (record: DecisionRecord): string =>
  `- [${record.file.slice(0, 4)}: ${record.title}](${record.file}). ${firstSentence(record)}`;

/** The page that lists the decisions by area. */
export function describeDecisions(records = listDecisions()): string {
  const known = new Set(areas.flatMap(([, numbers]) => numbers));
  const others = records.map(({ number }) => number).filter((number) => !known.has(number));
  const parts = [...areas, ['Newest', others] as const].map(([area, numbers]) => {
    const inArea = records.filter(({ number }) => numbers.includes(number));
    return inArea.length > 0 ? `\n## ${area}\n\n${inArea.map(describeRecord).join('\n')}\n` : '';
  });
  return `# Decisions

\`npm run docs\` writes this page. Each record states one decision in its first line, then what led to it, what else was possible,
and what it costs. A new record takes the next number; \`infra/decisions-page.ts\` says to which area it belongs.
${parts.join('')}`;
}

if (import.meta.main) writeFileSync(DECISIONS_PAGE, describeDecisions());
