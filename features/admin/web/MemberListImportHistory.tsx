import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import {
  type CreatedLogInCardsAndExpiry,
  DEFAULT_LOG_IN_CARD_VALIDITY_DAYS,
  type MemberListImportSummary,
  type MemberWithLogInCardState,
  memberListImportEndpoints,
} from '#features/cards/list-contract.ts'
import { AdminDataLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint, fetchListPage } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { memberListImportText } from './member-list-text.ts'

interface ListsProps {
  onCreated: (created: CreatedLogInCardsAndExpiry) => void
}

/**
 * Shows the imports of members from a list, newest first. Shows for each list which of its members have
 * logged in with their card.
 */
export function MemberListImportHistory({ onCreated }: ListsProps) {
  const t = useText(memberListImportText)
  const list = useInfiniteQuery({
    queryKey: [memberListImportEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchListPage(memberListImportEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const rows = data?.pages.flatMap((page) => page.rows)
  return (
    <section className="card">
      <h2>{t.lists}</h2>
      {!rows && !error && <LoadingText />}
      {!rows && error && <AdminDataLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {rows?.length === 0 && <p className="text-soft">{t.none}</p>}
      <ul className="invitation-list">
        {rows?.map((row) => (
          <ListRow key={row.id} list={row} onCreated={onCreated} />
        ))}
      </ul>
      {hasNextPage && (
        <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.loadMore}
        </Button>
      )}
    </section>
  )
}

function ListRow({ list, onCreated }: ListsProps & { list: MemberListImportSummary }) {
  const t = useText(memberListImportText)
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const [isOpen, setOpen] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const title = list.title ?? t.untitled
  return (
    <li>
      <span className="text">
        <b>
          <UserText>{title}</UserText>
        </b>
        <span className="text-meta">
          {t.arrived(list.arrived, list.members)} · <ShortDate at={list.created_at} />
          {list.created_by && (
            <>
              {' '}
              · {t.by} <UserText>{list.created_by.name}</UserText>
            </>
          )}
        </span>
      </span>
      <Button small label={t.showLabel(title)} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.hide : t.show}
      </Button>
      {list.arrived < list.members && (
        <Button small label={t.renewLabel(title)} onClick={() => setAsked(true)}>
          {t.renew}
        </Button>
      )}
      {isOpen && <ListMembers list={list.id} onCreated={onCreated} />}
      {isAsked && (
        <ConfirmDialog
          title={t.renewTitle}
          confirmLabel={t.renew}
          onConfirm={() =>
            run(() =>
              callEndpoint(memberListImportEndpoints.renew, {
                id: list.id,
                days: DEFAULT_LOG_IN_CARD_VALIDITY_DAYS,
              }),
            )
          }
          onDone={(created: CreatedLogInCardsAndExpiry) => {
            void client.invalidateQueries({ queryKey: [memberListImportEndpoints.members.path, list.id] })
            onCreated(created)
          }}
          onClose={() => setAsked(false)}
        >
          {t.renewText}
        </ConfirmDialog>
      )}
      {dialog}
    </li>
  )
}

function ListMembers({ list, onCreated }: ListsProps & { list: number }) {
  // Fetches all members of the list in one response, because one page of that endpoint may have as many rows
  // as a list has people.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [memberListImportEndpoints.members.path, list],
    queryFn: () => callEndpoint(memberListImportEndpoints.members, { id: list }),
  })
  return (
    <div className="list-members">
      {!data && !error && <LoadingText />}
      {!data && error && <AdminDataLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      <ul>
        {data?.map((member) => (
          <MemberRow key={member.id} member={member} onCreated={onCreated} />
        ))}
      </ul>
    </div>
  )
}

function MemberRow({ member, onCreated }: ListsProps & { member: MemberWithLogInCardState }) {
  const t = useText(memberListImportText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      run(() =>
        callEndpoint(memberListImportEndpoints.renewOne, {
          id: member.id,
          days: DEFAULT_LOG_IN_CARD_VALIDITY_DAYS,
        }),
      ),
    onSuccess: onCreated,
    onError: (failure) => {
      if (failure instanceof ActionCancelledError) return
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      else showToast(formatError(failure), { key: 'new card', kind: 'error' })
    },
  })
  return (
    <li>
      <span className="text">
        <UserText>{member.name}</UserText>
        <span className="text-meta">
          <span translate="no">@{member.handle}</span> ·{' '}
          {member.used_at === null ? (
            member.is_open ? (
              t.waiting
            ) : (
              t.expired
            )
          ) : (
            <>
              {t.cameIn} <ShortDate at={member.used_at} />
            </>
          )}
        </span>
      </span>
      {member.used_at === null && (
        <Button small label={t.renewOneLabel(member.name)} pending={isPending} onClick={() => mutate()}>
          {t.renewOne}
        </Button>
      )}
      {dialog}
    </li>
  )
}
