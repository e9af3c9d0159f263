import type { AddedPageSection } from '#core/contract.ts'

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/notifications', view: 'push/PushInvitationPageSection', isAtTop: true },
]
