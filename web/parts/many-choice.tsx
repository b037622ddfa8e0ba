import { useState } from 'preact/hooks';

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
  const shown = items.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <fieldset class="many">
      <legend>
        {legend} <span class="quiet">{chosen.length > 0 ? `${chosen.length} chosen` : ''}</span>
      </legend>
      {items.length > 8 && (
        <input
          class="input"
          type="search"
          placeholder={find}
          aria-label={find}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <div class="many-list">
        {shown.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              disabled={isFixed}
              onChange={(event) =>
                change(event.currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
              }
            />
            {name}
          </label>
        ))}
        {items.length > 0 && shown.length === 0 && <span class="quiet">Nothing of that name.</span>}
      </div>
    </fieldset>
  );
}
