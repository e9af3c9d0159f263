import { addToPages } from '#core/feature/pages.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/welcome': { isForVisitors: true },
})
