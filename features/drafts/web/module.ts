import type { WebModule } from '#web/web-modules.ts'
import { useSync } from './useSync.ts'

export default { name: 'drafts', useBackgroundWork: useSync } satisfies WebModule
