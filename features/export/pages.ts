import type { PageDefinition, PageSection } from '#core/contract.ts'
import { exportEndpoints } from './contract.ts'

export const pages: readonly PageDefinition[] = []

export const addedPageSections: readonly PageSection[] = [
  { path: '/account', view: 'export/YourDataPageSection', initialData: [exportEndpoints.state] },
]
