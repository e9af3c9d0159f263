import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { searchEndpoints } from '../contract.ts'
import type { Asked } from './asked.ts'

type Question = Pick<Asked, 'q' | 'place'>

export const inputOf = ({ q, place }: Question) => ({ q, in: place, time_zone: dates.timeZone() })

/** The previous answer stays until the next one is there. A newer question cancels an older one. */
export const useOverview = ({ q, place }: Question, enabled = true) =>
  useQuery({
    queryKey: [searchEndpoints.overview.path, q, place],
    queryFn: ({ signal }) => callEndpoint(searchEndpoints.overview, inputOf({ q, place }), { signal }),
    placeholderData: keepPreviousData,
    // What was found may be deleted meanwhile, or its reader may have left the group.
    staleTime: 0,
    gcTime: 0,
    enabled,
  })
