import './open-groups.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { useWaitingReload } from '#features/notifications/web/unread-count.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { usePageTitle } from '#web/title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type GroupDetails, openGroupEndpoints } from '../contract.ts'
import { AccessForm } from './AccessForm.tsx'
import { About } from './FindPage.tsx'
import { Joining } from './Joining.tsx'
import { LinkSection } from './LinkSection.tsx'
import { detailsKey, useLiveGroups } from './queries.ts'
import { openGroupText } from './text.ts'

export default function GroupPage() {
  const id = Number(useParams<{ id: string }>().id)
  return <PageLayout kind="inset">{useMe() ? <Group id={id} /> : <LogInPrompt />}</PageLayout>
}

function Group({ id }: { id: number }) {
  const t = useText(openGroupText)
  useLiveGroups()
  useWaitingReload('group_request', detailsKey)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...detailsKey, id],
    queryFn: () => callEndpoint(openGroupEndpoints.show, { id }),
  })
  if (error && hasStatus(error, 404))
    return (
      <EmptyState as="h1" title={t.notThere} help={t.notThereHelp}>
        <ButtonLink href="/groups">{t.toList}</ButtonLink>
      </EmptyState>
    )
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  return (
    <div className="cards">
      <Card group={data} />
      {data.manages && <LinkSection group={data} />}
      {data.manages && <AccessForm key={`${data.access} ${data.reading}`} group={data} />}
      <p>
        <Link className="link" href="/groups">
          {t.toList}
        </Link>
      </p>
    </div>
  )
}

/** `token` is that of the link to the group. */
export function Card({ group, token }: { group: GroupDetails; token?: string }) {
  const t = useText(openGroupText)
  usePageTitle(group.name)
  const { name, reading, description, picture = null, access, waiting_count } = group
  return (
    <section className="card group-card">
      <Avatar person={{ ...group, profile_image: picture }} size="l" group />
      <div className="group-names">
        <h1 tabIndex={-1} dir="auto" lang={detectLanguage(name)}>
          {name}
        </h1>
        {reading && <span className="text-meta">{reading}</span>}
        <About group={group} />
      </div>
      {description && (
        <p className="description">
          <UserText>{description}</UserText>
        </p>
      )}
      {token === undefined && <p className="text-soft">{t.whoJoins[access]}</p>}
      <div className="cluster">
        <Joining group={group} isLarge {...(token !== undefined && { token })} />
        {waiting_count && (
          <ButtonLink kind="primary" href="/groups/requests">
            {t.requestsWait(waiting_count)}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
