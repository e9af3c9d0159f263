import { useQuery } from '@tanstack/react-query'
import { SectionCard } from '#features/account/web/SectionCard.tsx'
import { SectionError } from '#features/account/web/SectionError.tsx'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { guardianEndpoints } from '../contract.ts'
import { useChildren, useRequests } from './queries.ts'
import { guardianText } from './text.ts'

/** Shows nothing for members who neither have guardians nor are guardians. */
export function GuardianSections() {
  return (
    <>
      <OwnGuardians />
      <OwnChildren />
    </>
  )
}

function OwnGuardians() {
  const t = useText(guardianText)
  const lang = useLang()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [guardianEndpoints.own.path],
    queryFn: () => callEndpoint(guardianEndpoints.own, {}),
  })
  if (data === undefined && error)
    return (
      <SectionCard title={t.ownTitle}>
        <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />
      </SectionCard>
    )
  if (!data) return null
  return (
    <SectionCard title={t.ownTitle} help={t.ownHelp}>
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
      <p className="account-value text-soft">{t.until(dates.long(`${data.ends_on}T12:00`, lang))}</p>
    </SectionCard>
  )
}

function OwnChildren() {
  const t = useText(guardianText)
  const children = useChildren()
  const requests = useRequests()
  if (!children.data?.length) return null
  return (
    <SectionCard title={t.childrenTitle} help={t.childrenHelp}>
      {requests.data && <p className="account-value">{t.waiting(requests.data.length)}</p>}
      <div className="form-actions">
        <ButtonLink href="/guardian">{t.toChildren}</ButtonLink>
      </div>
    </SectionCard>
  )
}
