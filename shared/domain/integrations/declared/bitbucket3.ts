import { branchTopic, type Change, changed, note, requestTopic, wantsBranch } from '../git.ts';
import type { Delivery, Integration, Note, Said } from '../integration.ts';
import type { Payload } from '../payload.ts';
import { bold, enumerate, inline, line, link, sentence, shortHash } from '../words.ts';

const repositoryOf = ({ payload }: Delivery): string =>
  payload.find('repository.name') ??
  payload.find('pullRequest.toRef.repository.name') ??
  payload.text('new.name');

const linkTo = (person: Payload): string =>
  link(person.oneOf('displayName', 'name', 'slug'), person.list('links.self')[0]?.find('href'));
const personLink = ({ payload }: Delivery): string => linkTo(payload.at('actor'));

const repositoryLink = (repository: Payload): string =>
  link(repository.text('name'), repository.list('links.self')[0]?.find('href'));

const said = (delivery: Delivery, text: string): Note => note(repositoryOf(delivery), text);

const commitComment =
  (action: string) =>
  (delivery: Delivery): Note => {
    const { payload } = delivery;
    const hash = shortHash(payload.text('commit'));
    const text = payload.text('comment.text');
    const did = action === 'deleted' ? 'deleted a comment on' : `${action} on`;
    return said(
      delivery,
      action === 'deleted'
        ? `${sentence(`${personLink(delivery)} ${did} ${inline(hash)}`)} ~~${inline(text)}~~`
        : sentence(`${personLink(delivery)} ${did} ${inline(hash)}`, text),
    );
  };

const forked = (delivery: Delivery): Note => {
  const repository = delivery.payload.at('repository');
  const origin = repository.at('origin');
  return note(
    origin.find('name') ?? repository.text('name'),
    sentence(
      `${personLink(delivery)} forked the repository ${origin.has('name') ? repositoryLink(origin) : ''} into ${repositoryLink(repository)}`,
    ),
  );
};

const modified = (delivery: Delivery): Note => {
  const { payload } = delivery;
  return note(
    payload.text('new.name'),
    sentence(
      `${personLink(delivery)} changed the name of the **${inline(payload.text('old.name'))}** repo to ${bold(payload.text('new.name'))}`,
    ),
  );
};

const refsChanged = (delivery: Delivery): Note[] =>
  delivery.payload.list('changes').flatMap((change) => refChanged(delivery, change) ?? []);

function refChanged(delivery: Delivery, change: Payload): Note | undefined {
  const name = change.text('ref.displayId');
  const type = change.text('type');
  const who = personLink(delivery);
  if (change.text('ref.type') === 'TAG')
    return said(delivery, sentence(`${who} ${type === 'DELETE' ? 'removed' : 'pushed'} tag ${inline(name)}`));
  if (!wantsBranch(delivery, name)) return undefined;
  const saying: Record<string, string> = {
    ADD: `created branch ${bold(name)}`,
    DELETE: `deleted branch ${bold(name)}`,
    UPDATE: `pushed to branch ${bold(name)}. Head is now ${shortHash(change.find('toHash') ?? '')}`,
  };
  const did = Object.hasOwn(saying, type) ? saying[type] : `changed branch ${bold(name)}`;
  return note(branchTopic(repositoryOf(delivery), name), sentence(`${who} ${did}`));
}

/** The sentence begins with a link, which `changed` would escape. */
const request =
  (action: string, details: (delivery: Delivery) => Partial<Change> = () => ({})) =>
  (delivery: Delivery): Note => {
    const pull = delivery.payload.at('pullRequest');
    const [number, title] = [pull.text('id'), pull.find('title') ?? ''];
    const text = changed({
      person: '',
      action,
      kind: 'PR',
      number,
      title,
      url: pull.list('links.self')[0]?.find('href'),
      isTitled: delivery.isTitled,
      ...details(delivery),
    });
    return note(requestTopic(repositoryOf(delivery), number, title), `${personLink(delivery)} ${text}`);
  };

const reviewersOf = ({ payload }: Delivery): string[] =>
  payload
    .list('pullRequest.reviewers')
    .flatMap((reviewer) => reviewer.find('user.displayName') ?? reviewer.find('user.name') ?? []);

const branches = ({ payload }: Delivery) => ({
  head: payload.find('pullRequest.fromRef.displayId'),
  base: payload.find('pullRequest.toRef.displayId'),
});

const described = (delivery: Delivery): Partial<Change> => ({
  ...branches(delivery),
  reviewers: reviewersOf(delivery),
  text: delivery.payload.find('pullRequest.description'),
});

const comment =
  (action: string) =>
  (delivery: Delivery): Note => {
    const text = delivery.payload.text('comment.text');
    if (action !== 'deleted') return request(`${action} on`, () => ({ text }))(delivery);
    const { topic, content } = request('deleted a comment on')(delivery);
    return note(topic, `${content} ~~${inline(text)}~~`);
  };

const reviewersUpdated = (delivery: Delivery): Note => {
  const names = delivery.payload
    .list('addedReviewers')
    .flatMap((addedReviewer) => addedReviewer.find('displayName') ?? addedReviewer.find('name') ?? []);
  const action =
    names.length === 0
      ? 'removed all reviewers from'
      : `reassigned to ${enumerate(names.map((name) => bold(line(name))))}`;
  return request(action)(delivery);
};

const ping = (delivery: Delivery): Said =>
  note(
    'Bitbucket Server Ping',
    `Bitbucket Server webhook has been successfully configured${delivery.payload.has('actor') ? ` by ${personLink(delivery)}` : ''}.`,
  );

export const bitbucket3: Integration = {
  slug: 'bitbucket3',
  displayName: 'Bitbucket Server',
  clientName: 'Bitbucket3',
  categories: ['version-control'],
  setup: 'In the repository: **Repository settings**, **Webhooks**, **Create webhook**.',
  body: 'json',
  encodesTwice: true,
  deliveryIds: ['x-request-id'],
  signature: { header: 'x-hub-signature', scheme: 'hex', prefix: 'sha256=' },
  options: { branches: { kind: 'text', label: '' } },
  eventOf: ({ payload, header }) =>
    payload.find('eventKey') ??
    header('x-event-key') ??
    (payload.is('test') ? 'diagnostics:ping' : undefined),
  events: {
    'diagnostics:ping': ping,
    'repo:comment:added': commitComment('commented'),
    'repo:comment:edited': commitComment('edited a comment'),
    'repo:comment:deleted': commitComment('deleted'),
    'repo:forked': forked,
    'repo:modified': modified,
    'repo:refs_changed': refsChanged,
    'pr:comment:added': comment('commented'),
    'pr:comment:edited': comment('edited a comment'),
    'pr:comment:deleted': comment('deleted'),
    'pr:declined': request('declined', branches),
    'pr:deleted': request('deleted', branches),
    'pr:merged': request('merged', branches),
    'pr:modified': request('modified', described),
    'pr:opened': request('opened', described),
    'pr:reviewer:approved': request('approved'),
    'pr:reviewer:needs_work': request('requested changes to'),
    'pr:reviewer:updated': reviewersUpdated,
    'pr:reviewer:unapproved': request('unapproved'),
  },
};
