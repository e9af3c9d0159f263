import { defineFeature } from '#core/feature/module.ts'
import { pageDefinitions } from './pages.ts'

/** A test page with a button that fetches the current user from an endpoint of `people`. */
export const currentUserModule = defineFeature({
  name: 'current-user',
  isDemo: true,
  pages: pageDefinitions,
})
