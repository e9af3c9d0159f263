import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/notifications', view: 'push/InvitationPageSection', isAtTop: true },
] as const satisfies readonly AddedPageSection[]
