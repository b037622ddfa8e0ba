import { t } from '#web/texts/texts.ts';
import { Choice } from './form.tsx';

const DAYS: readonly (readonly [days: number, label: string])[] = [
  [30, '30 days'],
  [90, '90 days'],
  [180, t('parts.halfAYear')],
  [365, t('parts.oneYear')],
  [730, t('parts.twoYears')],
  [1825, t('parts.fiveYears')],
];
const FOREVER = -1;

/** How long messages are kept. `days` is -1 for ever; null follows the organization, where `inherits` says what that is. */
export function RetentionChoice({
  days,
  inherits,
  isFixed,
  hint,
  save,
}: {
  days: number | null;
  inherits?: string;
  isFixed: boolean;
  hint: string;
  save: (choice: number | 'unlimited' | 'realm_default') => Promise<unknown>;
}) {
  const isListed = days === null || days === FOREVER || DAYS.some(([choice]) => choice === days);
  const choices: (readonly [number | null, string])[] = [
    ...(inherits === undefined ? [] : [[null, inherits] as const]),
    [FOREVER, t('parts.forEver')],
    ...(isListed ? [] : [[days, t('parts.daysDays', { days })] as const]),
    ...DAYS,
  ];
  return (
    <Choice
      label={t('parts.messagesAreKept')}
      hint={hint}
      value={days}
      choices={choices}
      isFixed={isFixed}
      save={(chosen) => save(chosen === null ? 'realm_default' : chosen === FOREVER ? 'unlimited' : chosen)}
    />
  );
}
