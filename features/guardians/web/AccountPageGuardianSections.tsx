import { useQuery } from '@tanstack/react-query'
import { AccountPageSectionCard } from '#features/account/web/AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from '#features/account/web/AccountSectionLoadError.tsx'
import { useLongDateFormatter } from '#features/account/web/useLongDateFormatter.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { guardianEndpoints } from '../contract.ts'
import { useChildContactRequestsQuery, useGuardedChildrenQuery } from './guardian-queries.ts'
import { guardianText } from './guardian-text.ts'

/**
 * Renders the sections about guardians on the account page. Renders nothing for members who neither have
 * guardians nor are guardians.
 */
export function AccountPageGuardianSections() {
  return (
    <>
      <OwnGuardians />
      <OwnChildren />
    </>
  )
}

/**
 * Renders the list of the current member's guardians, if the account is a child's, and explains what
 * guardians see.
 */
function OwnGuardians() {
  const t = useText(guardianText)
  const formatDay = useLongDateFormatter()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [guardianEndpoints.own.path],
    queryFn: () => callEndpoint(guardianEndpoints.own, {}),
  })
  if (data === undefined && error)
    return (
      <AccountPageSectionCard title={t.ownTitle}>
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      </AccountPageSectionCard>
    )
  if (!data) return null
  return (
    <AccountPageSectionCard title={t.ownTitle} help={t.ownHelp}>
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
    </AccountPageSectionCard>
  )
}

/**
 * Renders the section with a link to the page of guardians, and the number of contact requests that wait for
 * this guardian.
 */
function OwnChildren() {
  const t = useText(guardianText)
  const children = useGuardedChildrenQuery()
  const requests = useChildContactRequestsQuery()
  if (!children.data?.length) return null
  return (
    <AccountPageSectionCard title={t.childrenTitle} help={t.childrenHelp}>
      {requests.data && <p className="account-value">{t.waiting(requests.data.length)}</p>}
      <div className="form-actions">
        <ButtonLink href="/guardian">{t.toChildren}</ButtonLink>
      </div>
    </AccountPageSectionCard>
  )
}
