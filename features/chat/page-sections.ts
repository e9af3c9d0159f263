import type { AddedPageSection } from '#core/contract.ts'
import { groupEndpoints } from './group-contract.ts'

export const sectionsAddedToOtherPages: readonly AddedPageSection[] = [
  { path: '/admin/dashboard', view: 'chat/AdminGroupsPageSection', initialData: [groupEndpoints.all] },
  { path: '/account', view: 'chat/ReadMarksPageSection' },
]
