import type { AddedPageSection } from '#core/contract.ts'

export const sectionsAddedToOtherPages: readonly AddedPageSection[] = [
  { path: '/notifications', view: 'push/PushInvitationPageSection', isAtTop: true },
]
