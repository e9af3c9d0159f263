import type { Page } from '#core/contract.ts'
import { people } from '#features/people/contract.ts'
import { admin } from './contract.ts'

export const pages: readonly Page[] = [
  {
    path: '/admin/dashboard',
    view: 'admin/DashboardPage',
    title: { en: 'Admin Dashboard', ja: '管理画面' },
    first: [admin.facts],
  },
  {
    path: '/admin/users',
    view: 'admin/UsersPage',
    title: { en: 'Users', ja: 'ユーザー一覧' },
    first: [admin.users, people.followings],
  },
]
