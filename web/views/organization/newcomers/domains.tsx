import { addDomain, editDomain, removeDomain } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { Form, Toggle } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';

/** The domains whose addresses may join, where joining is restricted to them. */
export function Domains() {
  const domains = useServer(({ realm_domains }) => realm_domains);
  const isRestricted = useServer((server) => server.realm_emails_restricted_to_domains);
  const isOwner = useServer(({ is_owner }) => is_owner);
  const note = isRestricted
    ? 'Only addresses of these domains may join.'
    : 'They count once only addresses of the allowed domains may join.';
  return (
    <Group title="Allowed domains" note={isOwner ? note : `${note} Only owners can change this.`}>
      {domains.length === 0 && <p class="quiet">No domain is listed.</p>}
      <ul class="plain-list lines">
        {domains.map(({ domain, allow_subdomains: hasSubdomains }) => (
          <li key={domain} class="line">
            <div class="line-text">
              <strong>{domain}</strong>
            </div>
            <Toggle
              label="And its subdomains"
              value={hasSubdomains}
              isFixed={!isOwner}
              save={(isOn) => editDomain(domain, isOn)}
            />
            {isOwner && (
              <IconButton
                icon="trash"
                label={`Remove ${domain}`}
                onClick={() => void removeDomain(domain, hasSubdomains)}
              />
            )}
          </li>
        ))}
      </ul>
      {isOwner && (
        <Form
          label="Add the domain"
          submit={(fields) => addDomain(String(fields.get('domain')), fields.has('subdomains'))}
        >
          <label class="field">
            Domain
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
            And its subdomains
          </label>
        </Form>
      )}
    </Group>
  );
}
