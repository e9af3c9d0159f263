import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import PeopleDialog from '#features/people/web/PeopleDialog.tsx'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { type Invitation, invitationEndpoints } from '#features/registration/invitation-contract.ts'
import { callEndpoint, fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { invitationText } from './invitation-text.ts'

/** Lists the invitations, the newest first. */
export function InvitationList() {
  const t = useText(invitationText)
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ invitation: Invitation; dialog: 'end' | 'members' } | null>(null)
  const list = useInfiniteQuery({
    queryKey: [invitationEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchListPage(invitationEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const rows = data?.pages.flatMap((page) => page.rows)
  const close = () => setAsked(null)
  return (
    <section className="card">
      <h2>{t.list}</h2>
      {!rows && !error && <Loading />}
      {!rows && error && <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {rows?.length === 0 && <p className="text-soft">{t.none}</p>}
      <ul className="invitation-list">
        {rows?.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            onAsk={(dialog) => setAsked({ invitation, dialog })}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.loadMore}
        </Button>
      )}
      {asked?.dialog === 'members' && (
        <PeopleDialog
          list="invited"
          count={asked.invitation.uses}
          queryKey={`${invitationEndpoints.members.path} ${asked.invitation.id}`}
          fetchPage={(from) => fetchListPage(invitationEndpoints.members, { id: asked.invitation.id }, from)}
          onClose={close}
        />
      )}
      {asked?.dialog === 'end' && (
        <ConfirmDialog
          title={t.endTitle}
          confirmLabel={t.end}
          isDestructive
          onConfirm={() => callEndpoint(invitationEndpoints.end, { id: asked.invitation.id })}
          onDone={() => {
            void client.invalidateQueries({ queryKey: [invitationEndpoints.list.path] })
            showToast(t.endDone)
          }}
          onClose={close}
        >
          {t.endText}
        </ConfirmDialog>
      )}
    </section>
  )
}

interface RowProps {
  invitation: Invitation
  onAsk: (dialog: 'end' | 'members') => void
}

function InvitationRow({ invitation, onAsk }: RowProps) {
  const t = useText(invitationText)
  const { note, uses, max_uses, expires_at, is_open, created_by } = invitation
  const name = note ?? t.untitled
  return (
    <li>
      <span className="text">
        <b>
          <UserText>{name}</UserText>
        </b>
        <span className="text-meta">
          {t.uses(uses, max_uses)} · {is_open ? t.until : t.ended} <ShortDate at={expires_at} />
          {created_by && (
            <>
              {' '}
              · {t.by} <UserText>{created_by.name}</UserText>
            </>
          )}
        </span>
      </span>
      {uses > 0 && (
        <Button small label={t.showMembersLabel(name)} onClick={() => onAsk('members')}>
          {t.showMembers}
        </Button>
      )}
      {is_open && (
        <Button small label={t.endLabel(name)} onClick={() => onAsk('end')}>
          {t.end}
        </Button>
      )}
    </li>
  )
}
