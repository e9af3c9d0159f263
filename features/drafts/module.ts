import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { draftEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import * as model from './model.ts'
import { pageDefinitions } from './pages.ts'
import { draftSchemas } from './schemas.ts'
import { draftMigrations } from './tables.ts'

const handlers: Handlers<typeof draftEndpoints> = {
  list: (context) => model.list(context),
  save: (context) => model.save(context, context.input),
}

/** What a member is writing follows them to their other devices. */
export const draftsModule = defineFeature({
  name: 'drafts',
  pages: pageDefinitions,
  migrations: draftMigrations,
  exportSection,
  contracts: { drafts: [draftEndpoints, draftSchemas] },
  routes: () => ({ drafts: handlers }),
  listeners: { 'member.deleted': (tx, { id }) => model.deleteOfMember(tx, id) },
})
