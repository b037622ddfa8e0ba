import type { Catalogue } from './texts.ts';

/** The texts of the web client in Arabic. Those that are missing are shown in English. */
export const messages: Partial<Catalogue> = {
  'account.signIn': 'تسجيل الدخول',
  'account.eMailAddress': 'عنوان البريد الإلكتروني',
  'account.password': 'كلمة المرور',
  'account.forgotYourPassword': 'هل نسيت كلمة المرور؟',
  'common.inbox': 'الوارد',
  'common.settings': 'الإعدادات',
  'common.personCount':
    '{count, plural, zero {لا أحد} one {شخص واحد} two {شخصان} few {# أشخاص} many {# شخصًا} other {# شخص}}',
  'settings.language': 'اللغة',
  'settings.preferences': 'التفضيلات',
  'shell.navigation': 'التنقل',
};
