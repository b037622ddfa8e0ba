import { addDomain, editDomain, removeDomain } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { Form, Toggle } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';

/** The domains whose addresses may join, where joining is restricted to them. */
export function Domains() {
  const domains = useServer(({ realm_domains }) => realm_domains);
  const isRestricted = useServer((server) => server.realm_emails_restricted_to_domains);
  const isOwner = useServer(({ is_owner }) => is_owner);
  const note = isRestricted
    ? t('organization.onlyAddressesOfTheseDomains')
    : t('organization.theyCountOnceOnlyAddresses');
  return (
    <Group
      title={t('organization.allowedDomains')}
      note={isOwner ? note : t('organization.noteOnlyOwnersCanChange', { note })}
    >
      {domains.length === 0 && <p class="quiet">{t('organization.noDomainIsListed')}</p>}
      <ul class="plain-list lines">
        {domains.map(({ domain, allow_subdomains: hasSubdomains }) => (
          <li key={domain} class="line">
            <div class="line-text">
              <strong>{domain}</strong>
            </div>
            <Toggle
              label={t('organization.andItsSubdomains')}
              value={hasSubdomains}
              isFixed={!isOwner}
              save={(isOn) => editDomain(domain, isOn)}
            />
            {isOwner && (
              <IconButton
                icon="trash"
                label={t('organization.removeDomain', { domain })}
                onClick={() => void removeDomain(domain, hasSubdomains)}
              />
            )}
          </li>
        ))}
      </ul>
      {isOwner && (
        <Form
          label={t('organization.addTheDomain')}
          submit={(fields) => addDomain(String(fields.get('domain')), fields.has('subdomains'))}
        >
          <label class="field">
            {t('organization.domain')}
            <input
              class="input"
              name="domain"
              required
              autocomplete="off"
              spellcheck={false}
              placeholder="example.com"
            />
          </label>
          <label class="check">
            <input type="checkbox" name="subdomains" />
            {t('organization.andItsSubdomains')}
          </label>
        </Form>
      )}
    </Group>
  );
}
