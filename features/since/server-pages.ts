import { addToPages } from '#core/feature/pages.ts'
import { sinceEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/since': { initialData: [sinceEndpoints.news] },
})
