import type { AddedPageSection } from '#core/contract.ts'
import { exportEndpoints } from './contract.ts'

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/account', view: 'export/YourDataPageSection', initialData: [exportEndpoints.state] },
]
