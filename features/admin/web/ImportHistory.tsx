import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import {
  DEFAULT_CARD_DAYS,
  type ListedCard,
  type ListSummary,
  memberListEndpoints,
  type NewCards,
} from '#features/cards/contract.ts'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint, fetchPage } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName, UserText } from '#web/ui/UserText.tsx'
import { importText } from './member-list-text.ts'

interface ListsProps {
  onCreated: (created: NewCards) => void
}

export function ImportHistory({ onCreated }: ListsProps) {
  const t = useText(importText)
  const list = useInfiniteQuery({
    queryKey: [memberListEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchPage(memberListEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const rows = data?.pages.flatMap((page) => page.rows)
  return (
    <section className="card">
      <h2>{t.lists}</h2>
      {!rows && !error && <LoadingText />}
      {!rows && error && <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
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

function ListRow({ list, onCreated }: ListsProps & { list: ListSummary }) {
  const t = useText(importText)
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
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
          {t.arrived(list.arrived, list.members)}
          <Dot />
          <ShortDate at={list.created_at} />
          {list.created_by && (
            <>
              <Dot />
              {t.by}
              <PersonName>{list.created_by.name}</PersonName>
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
              callEndpoint(memberListEndpoints.renew, {
                id: list.id,
                days: DEFAULT_CARD_DAYS,
              }),
            )
          }
          onDone={(created: NewCards) => {
            void client.invalidateQueries({ queryKey: [memberListEndpoints.members.path, list.id] })
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
  // One page of this endpoint may have as many rows as a list has people.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [memberListEndpoints.members.path, list],
    queryFn: () => callEndpoint(memberListEndpoints.members, { id: list }),
  })
  return (
    <div className="list-members">
      {!data && !error && <LoadingText />}
      {!data && error && <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      <ul>
        {data?.map((member) => (
          <MemberRow key={member.id} member={member} onCreated={onCreated} />
        ))}
      </ul>
    </div>
  )
}

function MemberRow({ member, onCreated }: ListsProps & { member: ListedCard }) {
  const t = useText(importText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      run(() =>
        callEndpoint(memberListEndpoints.renewOne, {
          id: member.id,
          days: DEFAULT_CARD_DAYS,
        }),
      ),
    onSuccess: onCreated,
    onError: (failure) => {
      if (failure instanceof CancelledError) return
      if (hasStatus(failure, 401)) showLogInToast()
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
              {t.cameIn}
              <ShortDate at={member.used_at} />
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
