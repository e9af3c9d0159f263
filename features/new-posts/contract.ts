import { endpoints } from '#core/contract.ts'
import type { newPostSchemas } from './schemas.ts'

export type { Choices, Mode } from './schemas.ts'

/** People and groups, together. */
export const MAX_CHOSEN = 200

export const newPostEndpoints = endpoints<typeof newPostSchemas>({
  get: 'GET /api/new-posts',
  save: 'PUT /api/new-posts',
  choosePerson: 'PUT /api/new-posts/people/:id',
  dropPerson: 'DELETE /api/new-posts/people/:id',
  chooseGroup: 'PUT /api/new-posts/groups/:id',
  dropGroup: 'DELETE /api/new-posts/groups/:id',
})

/** In the member's own channel (`presence-user.ID`): the member has chosen, perhaps in another window. */
export const CHANGED_EVENT = 'NewPostChoicesChanged'
