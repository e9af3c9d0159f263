import { addToPages } from '#core/feature/pages.ts'
import { turnEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/admin/turn': { initialData: [turnEndpoints.groups, turnEndpoints.list] },
})
