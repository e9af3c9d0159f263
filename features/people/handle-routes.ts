import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { type handleEndpoints, MAX_REQUESTED_HANDLES } from './handle-contract.ts'
import { parseHandle } from './handles.ts'
import { findVisibleMembersByHandle } from './read-handles.ts'

export const handleRoutes: EndpointHandlers<typeof handleEndpoints> = {
  find: (context) => {
    const given = (context.input.handles ?? '').split(',').slice(0, MAX_REQUESTED_HANDLES)
    return findVisibleMembersByHandle(
      context,
      given.flatMap((handle) => parseHandle(handle) ?? []),
    )
  },
}
