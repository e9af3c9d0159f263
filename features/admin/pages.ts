import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/admin/dashboard',
    view: 'admin/DashboardPage',
    title: { en: 'Admin Dashboard', ja: '管理画面' },
  },
  {
    path: '/admin/health',
    view: 'admin/HealthPage',
    title: { en: 'Health', ja: 'サーバーの状態' },
  },
  {
    path: '/admin/new-members',
    view: 'admin/NewMembersPage',
    title: { en: 'New members', ja: 'メンバーの追加' },
  },
  {
    path: '/admin/new-members/list',
    view: 'admin/MemberListImportPage',
    title: { en: 'New members', ja: 'メンバーの追加' },
  },
  {
    path: '/admin/settings',
    view: 'admin/SettingsPage',
    title: { en: 'Settings', ja: '設定' },
  },
  {
    path: '/admin/users',
    view: 'admin/AdminUsersPage',
    title: { en: 'Users', ja: 'メンバー一覧' },
  },
  {
    path: '/invitations',
    view: 'admin/OwnInvitationsPage',
    title: { en: 'Invite people', ja: '招待する' },
  },
  {
    path: '/admin-log',
    view: 'admin/AuditLogPage',
    title: { en: 'What admins did', ja: '管理者の操作記録' },
  },
] as const satisfies readonly PageDefinition[]
