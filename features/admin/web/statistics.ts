import { useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useMe } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { statisticsKey } from '#web/web-modules.ts'
import { adminEndpoints, type Figures } from '../contract.ts'

/** In ms, so that admins see new requests to join. */
const REFRESH_INTERVAL = 60_000

export const useStatistics = () =>
  useQuery({
    queryKey: statisticsKey,
    queryFn: () => callEndpoint(adminEndpoints.facts, {}),
    initialData: () => findAnswer(adminEndpoints.facts)?.body as Figures | undefined,
    refetchInterval: REFRESH_INTERVAL,
    enabled: useMe()?.is_admin === true,
  })
