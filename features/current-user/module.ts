import { defineFeatureModule } from '#core/module.ts'
import { pages } from './pages.ts'

/**
 * Defines the feature `current-user`: a test page with a button that fetches the current user from an
 * endpoint of the feature `people`.
 */
export const currentUserSampleModule = defineFeatureModule({ name: 'current-user', isDemo: true, pages })
