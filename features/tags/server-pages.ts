import { addToPages } from '#core/feature/pages.ts'
import { tagEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/tags/:tag': { initialData: [tagEndpoints.posts] },
})
