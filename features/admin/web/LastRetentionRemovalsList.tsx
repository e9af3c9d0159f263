import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '#core/format-bytes.ts'
import { AdminDataLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { retentionEndpoints } from '../retention-contract.ts'
import { retentionText } from './retention-text.ts'
import { useLongDateTimeFormatter } from './useLongDateTimeFormatter.ts'

/**
 * Shows when the job that removes old messages and pictures last ran, and how much it removed. Shows nothing
 * if it has never run.
 */
export function LastRetentionRemovalsList() {
  const t = useText(retentionText)
  const lang = useLang()
  const formatTime = useLongDateTimeFormatter()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [retentionEndpoints.lastRemovals.path],
    queryFn: () => callEndpoint(retentionEndpoints.lastRemovals, {}),
  })
  if (!data)
    return error && <AdminDataLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
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
                  : `${t.removed[kind](removed_count)} (${formatBytes(removed_bytes, lang)}), ${t.removedOn(removed_on)}`}
              </dt>
              <dd>
                <small>{t.lastRun(formatTime(last_run_at!))}</small>
              </dd>
            </div>
          )
        })}
      </dl>
    </>
  )
}
