import { useServer } from '#web/net/store.ts';
import { type Account, CUSTOM_ACCOUNT } from '#web/state/profile.ts';
import { t } from '#web/texts/texts.ts';

/** At which site people have the account that a field names. */
export function AccountEditor({
  account: { subtype, pattern },
  change,
  isNew,
}: {
  account: Account;
  change: (account: Account) => void;
  isNew: boolean;
}) {
  const sites = useServer(({ realm_default_external_accounts }) => realm_default_external_accounts);
  const listed = [
    ...Object.entries(sites).map(([name, { text }]) => [name, text]),
    [CUSTOM_ACCOUNT, t('organization.another')],
  ];
  return (
    <>
      <label class="field">
        {t('organization.site')}
        <select
          class="input"
          disabled={!isNew}
          onChange={(event) => change({ subtype: event.currentTarget.value, pattern })}
        >
          {listed.map(([name, text]) => (
            <option key={name} value={name} selected={name === subtype}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {subtype === CUSTOM_ACCOUNT && (
        <label class="field">
          {t('organization.addressOfAnAccount')}
          <input
            class="input"
            type="url"
            required
            autocomplete="off"
            spellcheck={false}
            placeholder="https://example.com/%(username)s"
            value={pattern}
            onInput={(event) => change({ subtype, pattern: event.currentTarget.value })}
          />
          <small>{t('organization.usernameSStandsForThe')}</small>
        </label>
      )}
    </>
  );
}
