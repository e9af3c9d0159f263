import { addToPages, addToSections } from '#core/feature/pages.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { adminEndpoints, retentionEndpoints } from './contract.ts'
import { pageSections } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/admin/dashboard': { initialData: [adminEndpoints.facts] },
  '/admin/settings': { initialData: [adminEndpoints.settings] },
  '/admin/users': { initialData: [adminEndpoints.users, adminEndpoints.facts, peopleEndpoints.followings] },
})

export const serverSections = addToSections(pageSections, {
  'admin/RetentionPageSection': [retentionEndpoints.show],
})
