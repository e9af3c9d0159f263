import type { AddedPageSection, PageDefinition } from '#core/contract.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { adminEndpoints } from './contract.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/admin/dashboard',
    view: 'admin/DashboardPage',
    title: { en: 'Admin Dashboard', ja: '管理画面' },
    initialData: [adminEndpoints.facts],
  },
  {
    path: '/admin/new-members',
    view: 'admin/NewMembersPage',
    title: { en: 'New members', ja: '新しいメンバー' },
  },
  {
    path: '/admin/settings',
    view: 'admin/SettingsPage',
    title: { en: 'Settings', ja: '設定' },
    initialData: [adminEndpoints.settings],
  },
  {
    path: '/admin/users',
    view: 'admin/AdminUsersPage',
    title: { en: 'Users', ja: 'ユーザー一覧' },
    initialData: [adminEndpoints.users, peopleEndpoints.followings],
  },
  {
    path: '/admin-log',
    view: 'admin/AuditLogPage',
    title: { en: 'What admins did', ja: '管理者の記録' },
  },
]

export const addedPageSections: readonly AddedPageSection[] = [
  { path: '/account', view: 'admin/AuditLogPageSection' },
]
