import type * as v from 'valibot'
import type { Endpoint } from '#core/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'

/**
 * Creates the query options for the data of a section of the account page. The HTML of the page contains the
 * first response, so that the section does not begin empty. If that response is old, the section shows it
 * while the query fetches a new one.
 */
export const createAccountSectionQueryOptions = <E extends Endpoint>(endpoint: E) => ({
  queryKey: [endpoint.path],
  queryFn: () => callEndpoint(endpoint, {} as v.InferInput<E['input']>),
  initialData: () => findInitialEndpointResponse(endpoint)?.body as v.InferOutput<E['output']> | undefined,
  initialDataUpdatedAt: performance.timeOrigin,
})
