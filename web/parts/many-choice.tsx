import { useState } from 'preact/hooks';
import { useServer } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { isFound, SearchField } from './found-list.tsx';

/** Chooses some of many by name. */
export function ManyChoice({
  legend,
  find,
  items,
  chosen,
  change,
  isFixed = false,
}: {
  legend: string;
  find: string;
  items: { id: number; name: string }[];
  chosen: number[];
  change: (ids: number[]) => void;
  isFixed?: boolean;
}) {
  const [wanted, setWanted] = useState('');
  const shown = items.filter(({ name }) => isFound(name, wanted));
  return (
    <fieldset class="many">
      <legend>
        {legend}{' '}
        <span class="quiet">{chosen.length > 0 ? t('parts.countChosen', { count: chosen.length }) : ''}</span>
      </legend>
      {items.length > 8 && <SearchField label={find} value={wanted} change={setWanted} />}
      <div class="many-list">
        {shown.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              disabled={isFixed}
              onChange={(event) =>
                change(
                  event.currentTarget.checked
                    ? [...chosen, id]
                    : chosen.filter((chosenId) => chosenId !== id),
                )
              }
            />
            {name}
          </label>
        ))}
        {items.length > 0 && shown.length === 0 && <span class="quiet">{t('parts.nothingOfThatName')}</span>}
      </div>
    </fieldset>
  );
}

/** Chooses some of the people, except the present members. */
export function PeopleChoice({
  legend,
  without = [],
  chosen,
  change,
}: {
  legend: string;
  without?: readonly number[];
  chosen: number[];
  change: (userIds: number[]) => void;
}) {
  const users = useServer(({ realm_users }) => realm_users);
  const items = users
    .filter(({ user_id: id }) => !without.includes(id))
    .map(({ user_id: id, full_name: name }) => ({ id, name }));
  return (
    <ManyChoice
      legend={legend}
      find={t('common.findAPerson')}
      items={items}
      chosen={chosen}
      change={change}
    />
  );
}
