import { defineModule } from '#core/module.ts'
import { pages } from './pages.ts'

/** One page with a button that asks who is logged in. It uses a call of people. */
export const currentUserModule = defineModule({ name: 'current-user', sample: true, pages })
