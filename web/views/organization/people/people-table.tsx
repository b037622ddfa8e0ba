import { useState } from 'preact/hooks';
import { deactivateBot, ROLES, reactivate, roleName, setRole } from '#web/net/organization/roster.ts';
import { go } from '#web/net/router.ts';
import { nameOfPerson, showNotice, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Choice } from '#web/parts/form.tsx';
import { Count, isFound, SearchField } from '#web/parts/found-list.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { openMenu } from '#web/parts/layer.tsx';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { NewBotButton } from '../bots/new-bot.tsx';
import { askToDeactivate } from './deactivate-person.tsx';
import { ManyPeople } from './many-people.tsx';

type Kind = 'active' | 'deactivated' | 'bots';

const PAGE = 50;

const ORDERS: [name: string, compare: (a: Person, b: Person) => number][] = [
  [t('common.name'), () => 0],
  [t('organization.role'), (a, b) => a.role - b.role],
  [t('organization.newestFirst'), (a, b) => b.date_joined.localeCompare(a.date_joined)],
];

/** People or bots of the organization: found by name or address, with role and what an administrator may do. */
export function PeopleTable({ kind }: { kind: Kind }) {
  const active = useServer(({ realm_users }) => realm_users);
  const former = useServer(({ realm_non_active_users }) => realm_non_active_users);
  const [wanted, setWanted] = useState('');
  const [most, setMost] = useState(PAGE);
  const [order, setOrder] = useState(0);
  const [wasChosen, setChosen] = useState<number[]>([]);
  const chosen = wasChosen.filter((id) => active.some(({ user_id }) => user_id === id));
  const compare = ORDERS[order]?.[1] ?? (() => 0);
  const found = (kind === 'deactivated' ? former : active)
    .filter(({ is_bot: isBot }) => kind === 'deactivated' || isBot === (kind === 'bots'))
    .filter(({ full_name: name, delivery_email: mail, email }) => isFound(`${name} ${mail ?? email}`, wanted))
    .sort((a, b) => compare(a, b) || a.full_name.localeCompare(b.full_name));
  return (
    <>
      {kind === 'bots' && <NewBotButton />}
      <SearchField label={t('organization.findByNameOrAddress')} value={wanted} change={setWanted} />
      <div class="order-line">
        <Count text={t('organization.accountCount', { count: found.length })} />
        <label class="quiet">
          {t('organization.order')}{' '}
          <select
            class="input"
            onChange={({ currentTarget: box }) => setOrder(Math.max(0, box.selectedIndex))}
          >
            {ORDERS.map(([name], index) => (
              <option key={name} selected={index === order}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {chosen.length > 0 && <ManyPeople chosen={chosen} clear={() => setChosen([])} />}
      <ul class="plain-list lines">
        {found.slice(0, most).map((person) => {
          const { user_id: id } = person;
          const choose = (isChosen: boolean): void =>
            setChosen(isChosen ? [...chosen, id] : chosen.filter((chosenId) => chosenId !== id));
          return (
            <PersonLine
              key={id}
              person={person}
              {...(kind === 'active' && { choose, isChosen: chosen.includes(id) })}
            />
          );
        })}
      </ul>
      {found.length > most && (
        <button type="button" class="button more" onClick={() => setMost(most + PAGE)}>
          {t('organization.showMore')}
        </button>
      )}
    </>
  );
}

interface LineProps {
  person: Person;
  isChosen?: boolean;
  /** Selects the person for actions on several people. */
  choose?: (isChosen: boolean) => void;
}

/** The actions on an account that the viewer may use. */
function useRights(person: Person, isActive: boolean) {
  const { user_id: id } = person;
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const isOwner = useServer(({ is_owner }) => is_owner);
  const isOwnBot = useServer(({ realm_bots }) => realm_bots.some(({ user_id }) => user_id === id), [id]);
  const mayChange = isAdmin && (isOwner || !person.is_owner);
  return { mayChange, mayEdit: mayChange || isOwnBot, mayEnd: mayChange || (isOwnBot && isActive) };
}

/** The role of a person. Only owners make owners. */
function RoleChoice({ person }: { person: Person }) {
  const isOwner = useServer(({ is_owner }) => is_owner);
  return (
    <Choice
      label={t('organization.roleOfName', { name: person.full_name })}
      value={person.role}
      choices={ROLES.filter(([role]) => isOwner || role !== 100 || person.role === 100)}
      save={(role) => setRole(person, role)}
    />
  );
}

function PersonLine({ person, isChosen = false, choose }: LineProps) {
  const { user_id: id, full_name: name, delivery_email: mail, email, is_bot: isBot } = person;
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const isSelf = useServer(({ user_id }) => user_id === id, [id]);
  const isActive = useServer(({ realm_users }) => realm_users.some(({ user_id }) => user_id === id), [id]);
  const { mayChange, mayEdit, mayEnd } = useRights(person, isActive);
  return (
    <li class="line">
      {choose && isAdmin && (
        <label class="choose">
          <input
            type="checkbox"
            checked={isChosen}
            disabled={isSelf || !mayChange}
            aria-label={t('organization.chooseName', { name })}
            onChange={(event) => choose(event.currentTarget.checked)}
          />
        </label>
      )}
      <Avatar userId={id} size={36} />
      <div class="line-text">
        <a href={`#user/${id}`}>{name}</a>
        <span class="quiet">
          {isBot && person.bot_owner_id
            ? t('organization.botOfName', { name: nameOfPerson(person.bot_owner_id) })
            : (mail ?? email)}
          {isSelf && ` ${t('organization.you')}`}
        </span>
      </div>
      {mayChange && isActive && !isBot ? (
        <div class="bare">
          <RoleChoice person={person} />
        </div>
      ) : (
        <span class="quiet">{roleName(person.role)}</span>
      )}
      {isActive && (mayEdit || mayEnd) && (
        <IconButton
          icon="ellipsis"
          label={t('menus.menuOfLabel', { label: name })}
          onClick={({ currentTarget }) =>
            openPersonMenu(currentTarget, person, { mayEdit, mayEnd: mayEnd && !isSelf })
          }
        />
      )}
      {!isActive && mayEdit && (
        <a
          class="icon-button"
          href={editLink(person)}
          aria-label={t('organization.editName', { name })}
          title={t('organization.editName', { name })}
        >
          <Icon name="pencil" />
        </a>
      )}
      {!isActive && mayEnd && (
        <button
          type="button"
          class="button"
          aria-label={`${t('organization.reactivate')} ${name}`}
          onClick={() => void bringBack(person)}
        >
          {t('organization.reactivate')}
        </button>
      )}
    </li>
  );
}

const editLink = ({ user_id: id, is_bot: isBot }: Person): string =>
  `#organization/${isBot ? 'bots' : 'users'}/${id}`;

/** What can be done with an account that is active. */
function openPersonMenu(
  anchor: Element,
  person: Person,
  { mayEdit, mayEnd }: { mayEdit: boolean; mayEnd: boolean },
): void {
  const { user_id: id, full_name: name } = person;
  openMenu(anchor, t('menus.menuOfLabel', { label: name }), [
    { icon: 'user', label: t('common.profile'), run: () => go(`#user/${id}`) },
    mayEdit && {
      icon: 'pencil',
      label: t('organization.editName', { name }),
      run: () => go(editLink(person)),
    },
    mayEnd && { icon: 'x', label: t('common.deactivate'), isDangerous: true, run: () => void end(person) },
  ]);
}

const end = (person: Person): Promise<void> | void =>
  person.is_bot ? deactivateBot(person) : askToDeactivate(person);

async function bringBack(person: Person): Promise<void> {
  if (await reactivate(person))
    showNotice(
      t(person.is_bot ? 'organization.personWorksAgain' : 'organization.nameCanSignInAgain', {
        name: person.full_name,
      }),
    );
}
