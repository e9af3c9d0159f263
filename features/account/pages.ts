import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/login',
    view: 'account/LogInPage',
    title: { en: 'Log in', ja: 'ログイン' },
  },
  {
    path: '/two-factor-challenge',
    view: 'account/TwoFactorChallengePage',
    title: { en: 'Second step', ja: '2段階認証' },
  },
  {
    path: '/forgot-password',
    view: 'account/ForgotPasswordPage',
    title: { en: 'Forgot your password?', ja: 'パスワードをお忘れですか？' },
  },
  {
    path: '/reset-password',
    view: 'account/ResetPasswordPage',
    title: { en: 'Set a new password', ja: '新しいパスワードの設定' },
  },
  {
    path: '/device-log-in',
    view: 'account/DeviceLogInPage',
    title: { en: 'Log in here', ja: 'この端末でログイン' },
  },
  {
    path: '/account',
    view: 'account/AccountPage',
    title: { en: 'Account', ja: 'アカウント' },
  },
  {
    path: '/account/email',
    view: 'account/EmailChangePage',
    title: { en: 'Email address', ja: 'メールアドレス' },
  },
] as const satisfies readonly PageDefinition[]
