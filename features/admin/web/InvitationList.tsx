import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import PeopleDialog from '#features/people/web/PeopleDialog.tsx'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { type Invitation, invitationEndpoints } from '#features/registration/contract.ts'
import { fetchPage } from '#web/api.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName, UserText } from '#web/ui/UserText.tsx'
import type { InvitationSource } from './invitation-sources.ts'
import { invitationText } from './joining-text.ts'
import { useInvitations } from './useInvitations.ts'
import { useMyGroups } from './useMyGroups.ts'

export function InvitationList({ source }: { source: InvitationSource }) {
  const t = useText(invitationText)
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const [asked, setAsked] = useState<{ invitation: Invitation; dialog: 'end' | 'members' } | null>(null)
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInvitations(source)
  const rows = data?.pages.flatMap((page) => page.rows)
  const close = () => setAsked(null)
  return (
    <section className="card">
      <h2>{t.list}</h2>
      {!rows && !error && <LoadingText />}
      {!rows && error && <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {rows?.length === 0 && <p className="text-soft">{t.none}</p>}
      <ul className="invitation-list">
        {rows?.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            isForAdmins={source.isForAdmins}
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
          fetchPage={(from) => fetchPage(invitationEndpoints.members, { id: asked.invitation.id }, from)}
          onClose={close}
        />
      )}
      {asked?.dialog === 'end' && (
        <ConfirmDialog
          title={t.endTitle}
          confirmLabel={t.end}
          isDestructive
          onConfirm={() => run(() => source.end(asked.invitation.id))}
          onDone={() => {
            void client.invalidateQueries({ queryKey: source.queryKey })
            showToast(t.endDone)
          }}
          onClose={close}
        >
          {t.endText}
        </ConfirmDialog>
      )}
      {dialog}
    </section>
  )
}

interface RowProps {
  invitation: Invitation
  isForAdmins: boolean
  onAsk: (dialog: 'end' | 'members') => void
}

function InvitationRow({ invitation, isForAdmins, onAsk }: RowProps) {
  const t = useText(invitationText)
  const { note, uses, max_uses, group_id, expires_at, is_open, is_paused, is_used_up, created_by } =
    invitation
  const name = note ?? t.untitled
  const canEnd = is_open || is_paused
  return (
    <li>
      <span className="text">
        <b>
          <UserText>{name}</UserText>
        </b>
        <span className="text-meta">
          {t.uses(uses, max_uses)} ·{' '}
          {is_used_up ? (
            t.usedUp
          ) : (
            <>
              {canEnd ? t.until : t.ended}
              <ShortDate at={expires_at} />
            </>
          )}
          {group_id && <GroupName id={group_id} />}
          {isForAdmins && created_by && (
            <>
              <Dot />
              {t.by}
              <PersonName>{created_by.name}</PersonName>
            </>
          )}
        </span>
        {is_paused && <span className="chip warn">{isForAdmins ? t.paused : t.ownPaused}</span>}
      </span>
      {isForAdmins && uses > 0 && (
        <Button small label={t.showMembersLabel(name)} onClick={() => onAsk('members')}>
          {t.showMembers}
        </Button>
      )}
      {canEnd && (
        <Button small label={t.endLabel(name)} onClick={() => onAsk('end')}>
          {t.end}
        </Button>
      )}
    </li>
  )
}

/** Shows nothing if the admin is not in the group. */
function GroupName({ id }: { id: number }) {
  const t = useText(invitationText)
  const group = useMyGroups().find((own) => own.id === id)
  return (
    group && (
      <>
        <Dot />
        {t.toGroup}
        <UserText>{group.name}</UserText>
      </>
    )
  )
}
