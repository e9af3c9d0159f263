import { addToPages, addToSections } from '#core/feature/pages.ts'
import { openGroupEndpoints, requestEndpoints } from './contract.ts'
import { pageSections } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/groups': { initialData: [openGroupEndpoints.list] },
  '/groups/requests': { initialData: [requestEndpoints.list] },
})

export const serverSections = addToSections(pageSections, {})
