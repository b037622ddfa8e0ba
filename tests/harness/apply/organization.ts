import type { Apply } from './snapshot-data.ts';

export const organizationEvents: Record<string, Apply> = {
  realm: (state, event) => {
    const changes = event.op === 'update' ? { [event.property]: event.value } : event.data;
    for (const [name, value] of Object.entries(changes))
      if (`realm_${name}` in state) state[`realm_${name}`] = value;
  },
};
