import type { PageDefinition } from '#core/contract.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { adminEndpoints } from './contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/admin/dashboard',
    view: 'admin/DashboardPage',
    title: { en: 'Admin Dashboard', ja: '管理画面' },
    initialData: [adminEndpoints.facts],
  },
  {
    path: '/admin/health',
    view: 'admin/HealthPage',
    title: { en: 'Health', ja: '診断' },
  },
  {
    path: '/admin/new-members',
    view: 'admin/NewMembersPage',
    title: { en: 'New members', ja: '新しいメンバー' },
  },
  {
    path: '/admin/new-members/list',
    view: 'admin/MemberListImportPage',
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
    path: '/invitations',
    view: 'admin/OwnInvitationsPage',
    title: { en: 'Invite people', ja: '招待する' },
  },
  {
    path: '/admin-log',
    view: 'admin/AuditLogPage',
    title: { en: 'What admins did', ja: '管理者の記録' },
  },
]
