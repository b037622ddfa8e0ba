import { forgetDrafts } from './drafts.ts';
import type { Apply } from './snapshot-data.ts';

export const profileEvents: Record<string, Apply> = {
  custom_profile_fields: (state, event) => {
    state.custom_profile_fields = event.fields;
  },
  realm_export: () => {
    // Clients ask for the list of exports when somebody looks at it.
  },
  invites_changed: () => {
    // Clients that show invitations ask for them again.
  },
  realm_export_consent: () => {
    // Register tells nothing of it.
  },
  realm_user_settings_defaults: (state, event) => {
    state.realm_user_settings_defaults[event.property] = event.value;
  },
  user_settings: (state, event) => {
    state.user_settings[event.property] = event.value;
    forgetDrafts(state);
  },
};
