import type { Apply } from './snapshot-data.ts';

export const profileEvents: Record<string, Apply> = {
  custom_profile_fields: (state, event) => {
    state.custom_profile_fields = event.fields;
  },
};
