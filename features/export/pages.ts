import type { AddedPageSection, PageDefinition } from '#core/contract.ts'
import { exportEndpoints } from './contract.ts'

export const pages: readonly PageDefinition[] = []

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/account', view: 'export/YourDataPageSection', initialData: [exportEndpoints.state] },
]
