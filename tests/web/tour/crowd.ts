import type { Service } from '#infra/local/start.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { findAccount } from '#shared/store/users/users.ts';
import { call, type Member, sendAs } from './calls.ts';

/** People besides the foreground's speakers: 31 with them and the owner. Long names and other scripts among them. */
const PEOPLE = [
  'Grace Adeyemi-Worthington',
  'Wolfgang Maximilian Freiherr von Hohenberg-Schwarzenau',
  'نور الهدى عبد الرحمن',
  'יעל בן־דוד',
  '山本 健太郎',
  '김서연',
  'Олександра Ковальчук',
  'Ἑλένη Παπαδοπούλου',
  'Bartholomew Featherstonehaugh',
  'Lê Thị Minh Khai',
  'José Ángel',
  'Ng',
  'Zoë Krüger',
  'Mohammed Al-Farsi',
  'Sigríður Jónsdóttir',
  'Chinonso Eze',
  'Amélie Dubois',
  'Piotr Wiśniewski',
  'Hana Novotná',
  'Ravi Krishnamurthy',
  'Oluwaseun Bamidele',
  'Fatima Zahra',
  'Lars',
  'Xiomara Castellanos',
];

/** Channels besides the foreground's: 26 with them. */
const CHANNELS: [name: string, description: string][] = [
  ['announcements', 'What everyone should know. **Replies** in a topic of their own, please.'],
  ['customer success and onboarding, Europe, Middle East', 'All that concerns the region'],
  ['incidents', 'Now, and the reports of before: [how we work](https://example.com/incidents)'],
  ['mobile', 'The apps for telephones'],
  ['data platform', 'Pipelines, tables, dashboards'],
  ['research', 'Interviews and their results'],
  ['marketing', ''],
  ['sales', 'Leads, offers, contracts'],
  ['people and culture', 'Holidays, parties, new colleagues'],
  ['finance', 'Budgets and invoices'],
  ['legal', 'Questions to our lawyers'],
  ['security', 'Reports and drills'],
  ['infrastructure', 'Machines, networks, bills'],
  ['docs', 'Guides and release notes'],
  ['translations', 'Words in eleven languages'],
  ['الفريق العربي', 'قناة للزملاء الذين يعملون بالعربية'],
  ['東京オフィス', '東京の出来事'],
  ['office Berlin', 'Keys, plants, lunch'],
  ['books', 'What we read'],
  ['random', 'Anything else'],
  ['running', 'Tuesdays at seven'],
];

const TOPICS = [
  'weekly notes',
  'release 4.1',
  'questions',
  'budget for the second half of the year, all teams',
  'plan',
  'retrospective',
  'hiring',
  'bug reports',
  'اقتراحات',
  'ideas',
];

const TEXTS = [
  'Done, thanks!',
  'I had a look at it this morning. The numbers are fine, but the second chart starts in **March** and the others in January.',
  'Can somebody review https://example.com/changes/4711 before noon?',
  'The build is green again :tada:',
  '> Shall we move it to Thursday?\n\nThursday is better for me.',
  'صباح الخير! راجعت المسودة وأضفت بعض الملاحظات في الهامش.',
  'תודה רבה, נראה טוב מאוד. אפשר להמשיך מחר?',
  '明日の会議は10時からです。資料は共有フォルダにあります。',
  'Three things are open:\n\n1. the contract\n2. the logo on the dark page\n3. who informs the customer',
  '```sh\nnpm run build && npm run deploy -- --stage prod --region eu-central-1 --dry-run --verbose --no-color\n```',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  'I’m out this afternoon, back tomorrow at nine.',
  'What about `retryAfterSeconds`? It was 30 in the last release.',
  'Sounds good to me. Let’s do it, and look again in two weeks whether it made a difference for people who only write once a month.',
  '| team | open | closed |\n|---|---:|---:|\n| mobile | 12 | 31 |\n| web | 7 | 44 |',
];

/** With the foreground’s, about so many messages. */
const MESSAGES = 5_000;
/** Of these, the newest that the owner has not read. */
const UNREAD = 180;
const DAYS = 21;
const AT_ONCE = 8;

/** Numbers that look drawn and are the same at each run. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/**
 * Gives the organization a past of three weeks: people, channels and messages, which the owner has read but for the newest.
 * Takes less than a minute.
 */
export async function fillCrowd(service: Service, owner: Member, known: Member[]): Promise<void> {
  const draw = draws(36);
  const { clock } = service.services;
  const nowMs = clock.nowMs.bind(clock);
  let shiftMs = -DAYS * 86_400_000;
  clock.nowMs = () => nowMs() + shiftMs;
  const people = [...known, ...(await addPeople(service, owner))];
  const all = [owner, ...people];
  for (const [index, [name, description]] of CHANNELS.entries())
    await call(service, owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description }],
      principals: all.filter((_, at) => at === 0 || (at + index) % 3 > 0).map(({ userId }) => userId),
    });
  const names = CHANNELS.map(([name]) => name);
  const send = async (): Promise<void> => {
    const channel = draw(4) === 0 ? draw(3) : draw(names.length);
    const to = names[channel];
    const members = all.filter((_, at) => at === 0 || (at + channel) % 3 > 0);
    const sender = members[draw(members.length)] ?? owner;
    const topic = TOPICS[(draw(TOPICS.length) * (1 + draw(2)) + channel) % TOPICS.length];
    const content = TEXTS[draw(TEXTS.length)];
    const isDirect = draw(40) === 0 && sender !== owner;
    const place = isDirect ? { type: 'direct', to: [owner.userId] } : { type: 'channel', to, topic };
    await sendAs(service, sender, { ...place, content });
  };
  for (let sent = 0; sent < MESSAGES; sent += AT_ONCE) {
    shiftMs = -DAYS * 86_400_000 * (1 - sent / MESSAGES);
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    if (sent < MESSAGES - UNREAD && sent + AT_ONCE >= MESSAGES - UNREAD) await readAll(service, owner);
  }
  clock.nowMs = nowMs;
}

async function addPeople(service: Service, owner: Member): Promise<Member[]> {
  const added: Member[] = [];
  for (const [index, full_name] of PEOPLE.entries()) {
    const email = `person${index + 1}@example.com`;
    const fields = { email, full_name, password: 'nobody signs in by this one' };
    const { user_id: userId } = await call(service, owner, 'POST', '/users', fields);
    const account = await findAccount(service.services.table, email);
    if (account) added.push({ email, userId, key: await issueApiKey(service.services, account) });
  }
  return added;
}

async function readAll(service: Service, owner: Member): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const answer = await call(service, owner, 'POST', '/mark_all_as_read');
    isDone = answer.complete !== false;
  }
}
