/** The hints that clients show once, by the names of the protocol. */
const STEPS = new Set([
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'narrow_to_dm_with_welcome_bot_new_user',
  'navigation_tour_video',
]);

/** Whether the protocol knows a hint by this name. */
export const isOnboardingStep = (name: string): boolean => STEPS.has(name);
