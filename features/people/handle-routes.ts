import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { type handleLookupEndpoints, MAX_REQUESTED_HANDLES } from './handle-contract.ts'
import { parseHandle } from './handles.ts'
import { findVisibleMembersByHandle } from './read-handles.ts'

export const handleLookupHandlers: EndpointHandlers<typeof handleLookupEndpoints> = {
  find: (context) => {
    const given = (context.input.handles ?? '').split(',').slice(0, MAX_REQUESTED_HANDLES)
    return findVisibleMembersByHandle(
      context,
      given.flatMap((handle) => parseHandle(handle) ?? []),
    )
  },
}
