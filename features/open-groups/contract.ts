import { endpoints } from '#core/contract.ts'
import type { accessSchemas, linkSchemas, openGroupSchemas, requestSchemas } from './schemas.ts'

export type { Access, GroupDetails, GroupRequest, JoinState, OpenGroup } from './schemas.ts'

/** Of one member, that wait for an answer. */
export const MAX_WAITING = 20
/** Days after a refusal until the member may ask this group again. */
export const DAYS_AFTER_REFUSAL = 7

export const openGroupEndpoints = endpoints<typeof openGroupSchemas>({
  list: 'GET /api/open-groups',
  show: 'GET /api/open-groups/:id',
  join: 'POST /api/open-groups/:id/join',
  takeBack: 'DELETE /api/open-groups/:id/request',
})

export const accessEndpoints = endpoints<typeof accessSchemas>({
  set: 'PUT /api/groups/:id/access',
})

export const requestEndpoints = endpoints<typeof requestSchemas>({
  list: 'GET /api/group-requests',
  accept: 'POST /api/group-requests/:id/accept',
  decline: 'POST /api/group-requests/:id/decline',
})

/** Days for which a link to a group can be used. */
export const LINK_DAYS = 90

export const linkEndpoints = endpoints<typeof linkSchemas>({
  create: 'POST /api/groups/:id/link',
  end: 'DELETE /api/groups/:id/link',
  open: 'GET /api/group-links/:token',
  join: 'POST /api/group-links/:token/join',
})

/** For all members: the list of groups that one may join has changed. */
export const openGroupChannels = { list: { name: 'private-open-groups' } } as const

/** In the member's own channel (`presence-user.ID`): one of the member's requests has changed. */
export const REQUEST_CHANGED = 'GroupRequestChanged'
