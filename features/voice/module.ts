import { defineFeature } from '#core/feature/module.ts'
import { pageDefinitions } from './pages.ts'

export const voiceModule = defineFeature({ name: 'voice', pages: pageDefinitions })
