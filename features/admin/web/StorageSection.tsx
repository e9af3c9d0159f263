import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '#core/text/format-bytes.ts'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { healthEndpoints, type StorageUse } from '../contract.ts'
import { healthText } from './health-text.ts'
import { LastRemovals } from './LastRemovals.tsx'

export function StorageSection() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [healthEndpoints.storage.path],
    queryFn: () => callEndpoint(healthEndpoints.storage, {}),
  })
  const t = useText(healthText)
  return (
    <section aria-labelledby="health-storage">
      <h2 id="health-storage" className="health-heading">
        {t.storage}
      </h2>
      {data && <StorageTables {...data} />}
      {data && <LastRemovals />}
      {!data && !error && <LoadingText />}
      {!data && error && <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
    </section>
  )
}

function StorageTables({ kinds, members }: StorageUse) {
  const t = useText(healthText)
  const lang = useLang()
  return (
    <>
      <dl className="storage-list">
        {kinds.map(({ kind, bytes, files }) => (
          <div key={kind}>
            <dt>{t.storageKinds[kind]}</dt>
            <dd>
              {formatBytes(bytes, lang)} {files !== null && <small>{t.fileCount(files, lang)}</small>}
            </dd>
          </div>
        ))}
      </dl>
      {members.length > 0 && (
        <>
          <h3 className="storage-heading">{t.largestMembers}</h3>
          <dl className="storage-list">
            {members.map(({ person, bytes }) => (
              <div key={person.id}>
                <dt>
                  <UserText>{person.name}</UserText> {person.shared_handle && `@${person.shared_handle}`}
                </dt>
                <dd>{formatBytes(bytes, lang)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  )
}
