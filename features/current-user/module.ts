import { defineFeatureModule } from '#core/module.ts'
import { pageDefinitions } from './pages.ts'

/**
 * Defines the feature `current-user`: a test page with a button that fetches the current user from an
 * endpoint of the feature `people`.
 */
export const currentUserSampleModule = defineFeatureModule({
  name: 'current-user',
  isDemo: true,
  pages: pageDefinitions,
})
