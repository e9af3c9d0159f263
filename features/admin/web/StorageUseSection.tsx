import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '#core/format-bytes.ts'
import { AdminDataLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { adminHealthEndpoints, type StorageUseByKindAndMember } from '../health-contract.ts'
import { adminHealthPageText } from './health-text.ts'
import { LastRetentionRemovalsList } from './LastRetentionRemovalsList.tsx'

/**
 * Renders the section that says what takes space on the server: the size of each kind of data, and the
 * members with the largest files.
 */
export function StorageUseSection() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [adminHealthEndpoints.storage.path],
    queryFn: () => callEndpoint(adminHealthEndpoints.storage, {}),
  })
  const t = useText(adminHealthPageText)
  return (
    <section aria-labelledby="health-storage">
      <h2 id="health-storage" className="health-heading">
        {t.storage}
      </h2>
      {data && <StorageTables {...data} />}
      {data && <LastRetentionRemovalsList />}
      {!data && !error && <LoadingText />}
      {!data && error && <AdminDataLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
    </section>
  )
}

function StorageTables({ kinds, members }: StorageUseByKindAndMember) {
  const t = useText(adminHealthPageText)
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
