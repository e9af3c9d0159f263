import { defineModule } from '#core/module.ts'
import { pages } from './pages.ts'

/** A page with a button that fetches the current user. It uses an endpoint of people. */
export const currentUserModule = defineModule({ name: 'current-user', isDemo: true, pages })
