import { addToPages } from '#core/feature/pages.ts'
import { registrationEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/register': {
    initialData: [registrationEndpoints.state],
    isForVisitors: true,
  },
  '/setup': { isForVisitors: true },
})
