import type { AddedPageSection, PageDefinition } from '#core/contract.ts'
import { pushEndpoints } from './contract.ts'

export const pages: readonly PageDefinition[] = []

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/account', view: 'push/PushPageSection', initialData: [pushEndpoints.settings] },
]
