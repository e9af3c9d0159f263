import { defineFeature } from '#core/feature/module.ts'
import { calendarEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { pageSections } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import { calendarHandlers } from './routes.ts'
import { calendarSchemas } from './schemas.ts'
import { calendarMigrations } from './tables.ts'

export const calendarsModule = defineFeature({
  name: 'calendars',
  pages: pageDefinitions,
  pageSections,
  migrations: calendarMigrations,
  exportSection,
  contracts: { calendars: [calendarEndpoints, calendarSchemas] },
  routes: () => ({ calendars: calendarHandlers }),
})
