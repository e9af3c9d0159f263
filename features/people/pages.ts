import type { PageDefinition } from '#core/contract.ts'
import { peopleEndpoints } from './contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/logout',
    view: 'people/LogOutPage',
    title: { en: 'Log out', ja: 'ログアウト' },
    isForVisitors: true,
  },
  {
    path: '/email/verify/:id/:hash',
    view: 'people/VerifyEmailPage',
    title: { en: 'Verify your email address', ja: 'メールアドレスの確認' },
    isForVisitors: true,
  },
  {
    path: '/dashboard',
    view: 'people/VerifyEmailPage',
    title: { en: 'Verify your email address', ja: 'メールアドレスの確認' },
    isForVisitors: true,
  },
  {
    path: '/edit',
    view: 'people/EditProfilePage',
    title: { en: 'Edit Profile', ja: 'プロフィール編集' },
    initialData: [peopleEndpoints.profile],
  },
  {
    path: '/follow',
    view: 'people/SearchUsersPage',
    title: { en: 'Search Users', ja: 'ユーザー検索' },
    initialData: [peopleEndpoints.users, peopleEndpoints.followings],
  },
]
