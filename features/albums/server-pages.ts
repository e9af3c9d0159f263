import { addToPages } from '#core/feature/pages.ts'
import { albumEndpoints, albumPictureEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/albums': { initialData: [albumEndpoints.list] },
  '/albums/:id': { initialData: [albumEndpoints.show, albumPictureEndpoints.list] },
})
