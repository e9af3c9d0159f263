import type { AddedPageSection } from '#core/contract.ts'
import { dataExportEndpoints } from './contract.ts'

export const sectionsAddedToOtherPages: readonly AddedPageSection[] = [
  { path: '/account', view: 'export/DataExportAccountPageSection', initialData: [dataExportEndpoints.state] },
]
