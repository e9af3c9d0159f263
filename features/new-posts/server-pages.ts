import { addToSections } from '#core/feature/pages.ts'
import { newPostEndpoints } from './contract.ts'
import { pageSections } from './page-sections.ts'

export const serverSections = addToSections(pageSections, {
  'new-posts/PersonPageSection': [newPostEndpoints.get],
})
