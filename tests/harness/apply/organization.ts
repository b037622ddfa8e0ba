import type { Apply } from './snapshot-data.ts';

export const organizationEvents: Record<string, Apply> = {
  realm_domains: (state, event) => {
    const changed = event.domain ?? event.realm_domain.domain;
    const rest = state.realm_domains.filter(({ domain }: { domain: string }) => domain !== changed);
    state.realm_domains = [...rest, ...(event.realm_domain ? [event.realm_domain] : [])].sort((a, b) =>
      a.domain < b.domain ? -1 : 1,
    );
  },
  realm: (state, event) => {
    const changes = event.op === 'update' ? { [event.property]: event.value } : event.data;
    for (const [name, value] of Object.entries(changes))
      if (`realm_${name}` in state) state[`realm_${name}`] = value;
  },
};
