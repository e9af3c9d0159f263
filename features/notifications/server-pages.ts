import { addToPages } from '#core/feature/pages.ts'
import { notificationEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/notifications': {
    appShortcutPosition: 30,
    initialData: [notificationEndpoints.list],
  },
})
