import type { Answer, Endpoint, Input } from '#core/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { findAnswer } from '#web/page-data.ts'

/**
 * The HTML of the page contains the first response, so that the section does not begin empty. An old one
 * shows while the query fetches a new one.
 */
export const sectionQuery = <E extends Endpoint>(endpoint: E) => ({
  queryKey: [endpoint.path],
  queryFn: () => callEndpoint(endpoint, {} as Input<E>),
  initialData: () => findAnswer(endpoint)?.body as Answer<E> | undefined,
  initialDataUpdatedAt: performance.timeOrigin,
})
