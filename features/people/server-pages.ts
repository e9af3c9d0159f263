import { addToPages } from '#core/feature/pages.ts'
import { peopleEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/logout': { isForVisitors: true },
  '/email/verify/:id/:hash': { isForVisitors: true },
  '/dashboard': { isForVisitors: true },
  '/edit': { initialData: [peopleEndpoints.profile] },
  '/follow': {
    initialData: [peopleEndpoints.users, peopleEndpoints.followings],
    initialInput: { order: 'name' },
  },
})
