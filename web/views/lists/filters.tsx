import type { ComponentChildren } from 'preact';
import { t } from '#web/texts/texts.ts';

/** Which conversations a list shows: named ones, and ones of a kind. */
export function Filters<Kind extends string>({
  kinds,
  kind,
  text,
  children,
}: {
  kinds: readonly (readonly [Kind, string])[];
  kind: { value: Kind };
  text: { value: string };
  /** Further chips. */
  children?: ComponentChildren;
}) {
  return (
    <div class="inbox-filters">
      <input
        class="input"
        type="search"
        dir="auto"
        placeholder={t('lists.filterByNameOrTopic')}
        aria-label={t('lists.filterByNameOrTopic')}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="filter-chips">
        {kinds.map(([value, label]) => (
          <button
            type="button"
            key={value}
            class="filter-chip"
            aria-pressed={kind.value === value}
            onClick={() => {
              kind.value = value;
            }}
          >
            {label}
          </button>
        ))}
        {children}
      </div>
    </div>
  );
}
