import type { PageDefinition } from '#core/contract.ts'
import { accountEndpoints } from './contract.ts'
import { accountDeletionEndpoints } from './deletion-contract.ts'
import { passkeyEndpoints } from './passkey-contract.ts'
import { secondStepEndpoints } from './second-step-contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/login',
    view: 'account/LogInPage',
    title: { en: 'Log in', ja: 'ログイン' },
    isForVisitors: true,
    isIndexedWithoutData: true,
  },
  {
    path: '/two-factor-challenge',
    view: 'account/TwoFactorChallengePage',
    title: { en: 'Second step', ja: '2段階認証' },
    isForVisitors: true,
  },
  {
    path: '/forgot-password',
    view: 'account/ForgotPasswordPage',
    title: { en: 'Forgot your password?', ja: 'パスワードをお忘れですか？' },
    isForVisitors: true,
  },
  {
    path: '/reset-password',
    view: 'account/ResetPasswordPage',
    title: { en: 'Set a new password', ja: '新しいパスワードの設定' },
    isForVisitors: true,
  },
  {
    path: '/device-log-in',
    view: 'account/DeviceLogInPage',
    title: { en: 'Log in here', ja: 'この端末でログイン' },
    isForVisitors: true,
  },
  {
    path: '/account',
    view: 'account/AccountPage',
    title: { en: 'Account', ja: 'アカウント' },
    initialData: [
      accountDeletionEndpoints.state,
      accountEndpoints.pendingEmail,
      secondStepEndpoints.state,
      passkeyEndpoints.list,
      accountEndpoints.recoveryCodes,
      accountEndpoints.sessions,
    ],
  },
  {
    path: '/account/email',
    view: 'account/EmailChangePage',
    title: { en: 'Email address', ja: 'メールアドレス' },
    isForVisitors: true,
  },
]
