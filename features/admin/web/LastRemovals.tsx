import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '#core/text/format-bytes.ts'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { retentionEndpoints } from '../contract.ts'
import { retentionText } from './retention-text.ts'

/** Shows nothing if the job has never run. */
export function LastRemovals() {
  const t = useText(retentionText)
  const lang = useLang()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [retentionEndpoints.lastRemovals.path],
    queryFn: () => callEndpoint(retentionEndpoints.lastRemovals, {}),
  })
  if (!data) return error && <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
  const used = (['messages', 'pictures'] as const).filter((kind) => data[kind].last_run_at !== null)
  if (!used.length) return null
  return (
    <>
      <h3 className="storage-heading">{t.lastRemoval}</h3>
      <dl className="storage-list">
        {used.map((kind) => {
          const { last_run_at, removed_on, removed_count, removed_bytes } = data[kind]
          return (
            <div key={kind}>
              <dt>
                {removed_on === null
                  ? t.notYet
                  : t.removedOn(t.removed[kind](removed_count), formatBytes(removed_bytes, lang), removed_on)}
              </dt>
              <dd>
                <small>{t.lastRun(dates.exact(last_run_at!, lang))}</small>
              </dd>
            </div>
          )
        })}
      </dl>
    </>
  )
}
