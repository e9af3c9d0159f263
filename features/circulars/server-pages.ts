import { addToPages } from '#core/feature/pages.ts'
import { circularEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/circulars': { initialData: [circularEndpoints.posts] },
})
