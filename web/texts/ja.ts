import type { Catalogue } from './texts.ts';

/** The texts of the web client in Japanese. Those that are missing are shown in English. */
export const messages: Partial<Catalogue> = {
  'account.signIn': 'ログイン',
  'account.eMailAddress': 'メールアドレス',
  'account.password': 'パスワード',
  'account.forgotYourPassword': 'パスワードをお忘れですか？',
  'common.inbox': '受信箱',
  'common.settings': '設定',
  'common.personCount': '{count, plural, other {#人}}',
  'settings.language': '言語',
  'settings.preferences': '環境設定',
  'shell.navigation': 'ナビゲーション',
};
