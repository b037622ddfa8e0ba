/** Messages as the service sends them. Times are seconds since 1970. */

export interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
  user_id: number;
}

export interface Submessage {
  id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

export interface Recipient {
  id: number;
  full_name: string;
  email: string;
}

export interface Message {
  id: number;
  type: 'stream' | 'private';
  stream_id?: number;
  subject: string;
  display_recipient: string | Recipient[];
  sender_id: number;
  sender_full_name: string;
  sender_email: string;
  avatar_url: string | null;
  content: string;
  content_type: string;
  timestamp: number;
  flags: string[];
  reactions: Reaction[];
  submessages: Submessage[];
  is_me_message: boolean;
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
  topic_links?: { text: string; url: string }[];
  match_content?: string;
  match_subject?: string;
}
