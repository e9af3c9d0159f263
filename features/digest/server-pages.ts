import { addToPages } from '#core/feature/pages.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/digest/unsubscribe/:token': { isForVisitors: true },
})
