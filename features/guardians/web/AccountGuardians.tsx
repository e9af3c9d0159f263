import { useQuery } from '@tanstack/react-query'
import { AccountCard } from '#features/account/web/AccountCard.tsx'
import { SectionLoadError } from '#features/account/web/SectionLoadError.tsx'
import { useDayFormatter } from '#features/account/web/useDayFormatter.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { guardianEndpoints } from '../contract.ts'
import { useChildrenQuery, useContactRequestsQuery } from './guardian-queries.ts'
import { guardianText } from './guardian-text.ts'

/**
 * The sections of the account page about guardians. Shows nothing to members who neither have nor are
 * guardians.
 */
export function AccountGuardians() {
  return (
    <>
      <OwnGuardians />
      <OwnChildren />
    </>
  )
}

/**
 * Lists the guardians of the current member, if the account is a child's, and explains what guardians see.
 */
function OwnGuardians() {
  const t = useText(guardianText)
  const formatDay = useDayFormatter()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [guardianEndpoints.own.path],
    queryFn: () => callEndpoint(guardianEndpoints.own, {}),
  })
  if (data === undefined && error)
    return (
      <AccountCard title={t.ownTitle}>
        <SectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      </AccountCard>
    )
  if (!data) return null
  return (
    <AccountCard title={t.ownTitle} help={t.ownHelp}>
      {data.guardians.length > 0 && (
        <ul className="account-rows">
          {data.guardians.map((person) => (
            <li key={person.id} className="account-row">
              <Avatar person={person} size="s" />
              <span className="text">
                <UserText className="name">{person.name}</UserText>
              </span>
            </li>
          ))}
        </ul>
      )}
      {!data.guardians.length && <p className="account-value text-soft">{t.nobody}</p>}
      <p className="account-value text-soft">{t.until(formatDay(`${data.ends_on}T12:00`))}</p>
    </AccountCard>
  )
}

/**
 * The section with a link to the page of guardians, and the number of contact requests that wait for this
 * guardian.
 */
function OwnChildren() {
  const t = useText(guardianText)
  const children = useChildrenQuery()
  const requests = useContactRequestsQuery()
  if (!children.data?.length) return null
  return (
    <AccountCard title={t.childrenTitle} help={t.childrenHelp}>
      {requests.data && <p className="account-value">{t.waiting(requests.data.length)}</p>}
      <div className="form-actions">
        <ButtonLink href="/guardian">{t.toChildren}</ButtonLink>
      </div>
    </AccountCard>
  )
}
