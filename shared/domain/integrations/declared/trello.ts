import type { Delivery, Integration, Note, Said } from '../integration.ts';
import { bold, inline, link, paragraphs, quote, sentence, time } from '../words.ts';

const personOf = ({ payload }: Delivery): string =>
  inline(payload.oneOf('action.memberCreator.fullName', 'action.memberCreator.username'));

const cardLink = ({ payload }: Delivery): string =>
  link(
    payload.text('action.data.card.name'),
    `https://trello.com/c/${payload.find('action.data.card.shortLink') ?? ''}`,
  );

const boardLink = ({ payload }: Delivery): string =>
  link(
    payload.text('action.data.board.name'),
    `https://trello.com/b/${payload.find('action.data.board.shortLink') ?? ''}`,
  );

const memberOf = ({ payload }: Delivery): string =>
  inline(payload.oneOf('action.member.fullName', 'action.data.member.name', 'action.data.idMember'));

const said =
  (describe: (delivery: Delivery) => string) =>
  (delivery: Delivery): Note => ({
    topic: delivery.payload.text('action.data.board.name'),
    content: `${personOf(delivery)} ${describe(delivery)}`,
  });

const data = ({ payload }: Delivery) => payload.at('action.data');

const labelOf = (delivery: Delivery): string => {
  const label = data(delivery);
  const name = label.find('label.name') ?? label.find('text');
  const colour = label.find('label.color') ?? label.find('value');
  return name ? `label ${bold(name)}` : `a ${inline(colour ?? 'colourless')} label`;
};

/** What happened follows from the old values of the card. */
function updateCard(delivery: Delivery): Said {
  const description = tellUpdate(delivery);
  return description === undefined ? undefined : said(() => description)(delivery);
}

function tellUpdate(delivery: Delivery): string | undefined {
  const all = data(delivery);
  const old = all.at('old');
  const card = cardLink(delivery);
  if (all.has('listBefore.name'))
    return sentence(
      `moved ${card} from ${inline(all.text('listBefore.name'))} to ${inline(all.text('listAfter.name'))}`,
    );
  if (old.has('name')) return sentence(`renamed the card from ${bold(old.text('name'))} to ${card}`);
  if (old.has('desc')) return described(card, old.find('desc'), all.find('card.desc'));
  if (Object.hasOwn(Object(old.value), 'due')) return dated(card, old.find('due'), all.find('card.due'));
  if (old.has('closed')) return sentence(`${old.is('closed') ? 'reopened' : 'archived'} ${card}`);
  return undefined;
}

function described(card: string, before: string | undefined, after: string | undefined): string {
  if (after === undefined) return sentence(`removed the description of ${card}`);
  return sentence(`${before === undefined ? 'set' : 'changed'} the description of ${card}`, after);
}

function dated(card: string, before: string | undefined, after: string | undefined): string {
  if (after === undefined) return sentence(`removed the due date of ${card}`);
  if (before === undefined) return `set the due date of ${card} to ${time(after)}.`;
  return `changed the due date of ${card} from ${time(before)} to ${time(after)}.`;
}

const checked = said((delivery) => {
  const all = data(delivery);
  const did = all.find('checkItem.state') === 'complete' ? 'checked' : 'unchecked';
  return sentence(
    `${did} ${bold(all.text('checkItem.name'))} in ${inline(all.find('checklist.name') ?? 'a checklist')} of ${cardLink(delivery)}`,
  );
});

const renamedBoard = (delivery: Delivery): Said => {
  const before = data(delivery).find('old.name');
  return before === undefined
    ? undefined
    : said((payload) => sentence(`renamed the board from ${bold(before)} to ${boardLink(payload)}`))(
        delivery,
      );
};

export const trello: Integration = {
  slug: 'trello',
  displayName: 'Trello',
  categories: ['project-management'],
  setup:
    "Trello has no page for webhooks: create one through its API, with the address as `callbackURL` and the board's id as `idModel`.",
  body: 'json',
  eventOf: ({ payload }) => payload.text('action.type'),
  events: {
    createCard: said((delivery) => sentence(`created ${cardLink(delivery)}`)),
    updateCard,
    addLabelToCard: said((delivery) => sentence(`added ${labelOf(delivery)} to ${cardLink(delivery)}`)),
    removeLabelFromCard: said((delivery) =>
      sentence(`removed ${labelOf(delivery)} from ${cardLink(delivery)}`),
    ),
    addMemberToCard: said((delivery) => sentence(`added ${memberOf(delivery)} to ${cardLink(delivery)}`)),
    removeMemberFromCard: said((delivery) =>
      sentence(`removed ${memberOf(delivery)} from ${cardLink(delivery)}`),
    ),
    addAttachmentToCard: said((delivery) => {
      const file = link(data(delivery).text('attachment.name'), data(delivery).find('attachment.url'));
      return sentence(`added the attachment ${file} to ${cardLink(delivery)}`);
    }),
    addChecklistToCard: said((delivery) =>
      sentence(`added the checklist ${bold(data(delivery).text('checklist.name'))} to ${cardLink(delivery)}`),
    ),
    commentCard: said((delivery) =>
      paragraphs(`commented on ${cardLink(delivery)}:`, quote(data(delivery).text('text'))),
    ),
    updateCheckItemStateOnCard: checked,
    addMemberToBoard: said((delivery) => sentence(`added ${memberOf(delivery)} to ${boardLink(delivery)}`)),
    removeMemberFromBoard: said((delivery) =>
      sentence(`removed ${memberOf(delivery)} from ${boardLink(delivery)}`),
    ),
    createList: said((delivery) =>
      sentence(`added the list ${bold(data(delivery).text('list.name'))} to ${boardLink(delivery)}`),
    ),
    updateBoard: renamedBoard,
  },
  ignored: ['copyCard', 'createCheckItem', 'updateCheckItem', 'updateList'],
};
