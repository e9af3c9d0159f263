import { addToSections } from '#core/feature/pages.ts'
import { exportEndpoints } from './contract.ts'
import { pageSections } from './page-sections.ts'

export const serverSections = addToSections(pageSections, {
  'export/ExportPageSection': [exportEndpoints.state],
})
