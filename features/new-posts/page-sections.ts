import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/account/notifications', view: 'new-posts/SettingsPageSection', isAtTop: true },
  { path: '/people/:id', view: 'new-posts/PersonPageSection' },
  { path: '/group-chat/:id#menu', view: 'new-posts/GroupPageSection' },
] as const satisfies readonly AddedPageSection[]
