import type { AddedPageSection } from '#core/contract.ts'
import { retentionEndpoints } from './retention-contract.ts'

export const sectionsAddedToOtherPages: readonly AddedPageSection[] = [
  { path: '/account', view: 'admin/RetentionPageSection', initialData: [retentionEndpoints.show] },
  { path: '/account', view: 'admin/AccountPageSection' },
  { path: '/setup', view: 'admin/SetupPageSection' },
]
