import { useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Attempt, type GuardedChild, guardianEndpoints } from '../contract.ts'
import { guardianText } from './text.ts'

export function AttemptList({ child }: { child: GuardedChild }) {
  const t = useText(guardianText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [guardianEndpoints.attempts.path, child.id],
    queryFn: () => callEndpoint(guardianEndpoints.attempts, { id: child.id }),
  })
  return (
    <>
      <h3>{t.attempts}</h3>
      <p className="text-soft">{t.attemptsHelp}</p>
      {data?.length === 0 && <p className="text-meta">{t.noAttempts}</p>}
      {data?.map((attempt) => (
        <AttemptItem key={`${attempt.person.id} ${attempt.by} ${attempt.kind}`} attempt={attempt} />
      ))}
      {!data && !error && <LoadingText />}
      {!data && error && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
      )}
    </>
  )
}

function AttemptItem({ attempt: { person, by, kind, count, last_at } }: { attempt: Attempt }) {
  const t = useText(guardianText)
  return (
    <div className="guardian-item">
      <Avatar person={person} size="s" />
      <div className="guardian-details">
        <UserText className="name">{(by === 'child' ? t.byChild : t.byPerson)(person.name)}</UserText>
        <span>{t.attemptKinds[kind]}</span>
        <span className="text-meta">
          {t.times(count)} <RelativeTime at={last_at} showFullDate />
        </span>
      </div>
    </div>
  )
}
