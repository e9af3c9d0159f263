import { addToPages, addToSections } from '#core/feature/pages.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { groupEndpoints } from './contract.ts'
import { pageSections } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/my-groups/new': { initialData: [peopleEndpoints.users], initialInput: { order: 'name' } },
  '/admin/creategroup': { initialData: [peopleEndpoints.users], initialInput: { order: 'name' } },
})

export const serverSections = addToSections(pageSections, {
  'groups/AdminPageSection': [groupEndpoints.all],
})
