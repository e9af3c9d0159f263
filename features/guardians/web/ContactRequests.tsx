import { profilePath } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { ContactRequest } from '../contract.ts'
import { useDecision, useRequests } from './queries.ts'
import { guardianText } from './text.ts'

export function ContactRequests() {
  const t = useText(guardianText)
  const { data, error, isFetching, refetch } = useRequests()
  return (
    <section className="card guardian-section">
      <h2 tabIndex={-1}>{t.requests}</h2>
      <p className="text-soft">{t.requestsHelp}</p>
      {data?.length === 0 && <p className="text-meta">{t.noRequests}</p>}
      {data?.map((request) => (
        <RequestItem key={`${request.child.id} ${request.person.id}`} request={request} />
      ))}
      {!data && !error && <LoadingText />}
      {!data && error && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
      )}
    </section>
  )
}

const askedTexts = { child: 'askedByChild', person: 'askedByPerson' } as const

function RequestItem({ request: { child, person, asked_by, asked_at } }: { request: ContactRequest }) {
  const t = useText(guardianText)
  const { mutate, isPending, variables, dialog } = useDecision({
    child: child.id,
    person,
    known_state: 'requested',
  })
  return (
    <div className="guardian-item">
      <Avatar person={person} size="s" />
      <div className="guardian-details">
        <Link className="link name" href={profilePath(person)}>
          <UserText>{person.name}</UserText>
        </Link>
        <span>{t[asked_by ? askedTexts[asked_by] : 'askedByNobody'](child.name)}</span>
        <span className="text-meta">
          <RelativeTime at={asked_at} showFullDate />
        </span>
      </div>
      <DecisionButtons name={person.name} pending={isPending ? variables : null} onDecide={mutate} />
      {dialog}
    </div>
  )
}

interface DecisionButtonsProps {
  name: string
  /** Being sent to the server; null if no request is running. */
  pending: 'allowed' | 'refused' | null
  /** Its button is left out; undefined before a decision. */
  decided?: 'allowed' | 'refused' | undefined
  onDecide: (state: 'allowed' | 'refused') => void
}

export function DecisionButtons({ name, pending, decided, onDecide }: DecisionButtonsProps) {
  const t = useText(guardianText)
  return (
    <div className="guardian-buttons">
      {decided !== 'refused' && (
        <Button
          label={decided ? t.stopPerson(name) : t.refusePerson(name)}
          pending={pending === 'refused'}
          disabled={pending === 'allowed'}
          onClick={() => onDecide('refused')}
        >
          {decided ? t.stop : t.refuse}
        </Button>
      )}
      {decided !== 'allowed' && (
        <Button
          kind={decided ? 'ghost' : 'primary'}
          label={t.allowPerson(name)}
          pending={pending === 'allowed'}
          disabled={pending === 'refused'}
          onClick={() => onDecide('allowed')}
        >
          {t.allow}
        </Button>
      )}
    </div>
  )
}
