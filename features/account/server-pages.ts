import { addToPages } from '#core/feature/pages.ts'
import { accountEndpoints, deletionEndpoints, passkeyEndpoints, secondStepEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/login': {
    isForVisitors: true,
    isIndexedWithoutData: true,
  },
  '/two-factor-challenge': { isForVisitors: true },
  '/forgot-password': { isForVisitors: true },
  '/reset-password': { isForVisitors: true },
  '/device-log-in': { isForVisitors: true },
  '/account': {
    initialData: [
      deletionEndpoints.state,
      accountEndpoints.pendingEmail,
      secondStepEndpoints.state,
      passkeyEndpoints.list,
      accountEndpoints.recoveryCodes,
      accountEndpoints.sessions,
    ],
  },
  '/account/email': { isForVisitors: true },
})
