import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { type handleLookupEndpoints, MAX_HANDLES_PER_LOOKUP } from './handle-contract.ts'
import { parseHandle } from './handles.ts'
import { findIdHandlePairsOfVisibleMembers } from './read-handles.ts'

export const handleLookupEndpointHandlers: EndpointHandlers<typeof handleLookupEndpoints> = {
  find: (context) => {
    const given = (context.input.handles ?? '').split(',').slice(0, MAX_HANDLES_PER_LOOKUP)
    return findIdHandlePairsOfVisibleMembers(
      context,
      given.flatMap((handle) => parseHandle(handle) ?? []),
    )
  },
}
