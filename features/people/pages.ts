import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/logout',
    view: 'people/LogOutPage',
    title: { en: 'Log out', ja: 'ログアウト' },
  },
  {
    path: '/email/verify/:id/:hash',
    view: 'people/VerifyEmailPage',
    title: { en: 'Verify your email address', ja: 'メールアドレスの確認' },
  },
  {
    path: '/dashboard',
    view: 'people/VerifyEmailPage',
    title: { en: 'Verify your email address', ja: 'メールアドレスの確認' },
  },
  {
    path: '/edit',
    view: 'people/EditProfilePage',
    title: { en: 'Edit Profile', ja: 'プロフィール編集' },
  },
  {
    path: '/follow',
    view: 'people/SearchUsersPage',
    title: { en: 'Search Users', ja: 'メンバーを探す' },
  },
] as const satisfies readonly PageDefinition[]
