import './turns.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AdminLoadError, RequireAdmin } from '#features/people/web/RequireAdmin.tsx'
import { fetchPage, type ListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { findAnswer } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { type TurningGroup, turnEndpoints } from '../contract.ts'
import { GroupChoice } from './GroupChoice.tsx'
import { type Choice, firstChoice, toLine } from './lines.ts'
import { PastTurns } from './PastTurns.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import { turnText } from './text.ts'

export default function TurnPage() {
  const t = useText(turnText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      <RequireAdmin>
        <p>{t.help}</p>
        <Groups />
        <PastTurns />
      </RequireAdmin>
    </PageLayout>
  )
}

function useGroups() {
  const first = findAnswer(turnEndpoints.groups)
  return useInfiniteQuery({
    queryKey: [turnEndpoints.groups.path],
    queryFn: ({ pageParam }) => fetchPage(turnEndpoints.groups, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<TurningGroup[]>) => next,
    ...(first && {
      initialData: {
        pages: [{ rows: first.body as TurningGroup[], next: first.next }],
        pageParams: [null],
      },
    }),
  })
}

function Groups() {
  const t = useText(turnText)
  const list = useGroups()
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map())
  const [isChecking, setChecking] = useState(false)
  if (!list.data)
    return list.isError ? (
      <AdminLoadError error={list.error} pending={list.isFetching} onRetry={() => list.refetch()} />
    ) : (
      <RowSkeletons count={4} />
    )
  const groups = list.data.pages.flatMap(({ rows }) => rows)
  if (!groups.length) return <EmptyState title={t.none} help={t.noneHelp} />
  const chosen = groups.flatMap((group) => {
    const choice = choices.get(group.id)
    return choice && choice.what !== 'stays' ? [toLine(group, choice)] : []
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setChecking(true)
      }}
    >
      <ul className="cards turning">
        {groups.map((group) => (
          <GroupChoice
            key={group.id}
            group={group}
            choice={choices.get(group.id) ?? firstChoice(group)}
            onChange={(choice) => setChoices((before) => new Map(before).set(group.id, choice))}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <p className="list-more">
          <Button pending={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {t.more}
          </Button>
        </p>
      )}
      <div className="turn-end">
        <span aria-live="polite">{t.chosen(chosen.length)}</span>
        <Button kind="primary" type="submit" disabled={!chosen.length}>
          {t.preview}
        </Button>
      </div>
      {isChecking && (
        <PreviewDialog
          lines={chosen}
          onMade={() => setChoices(new Map())}
          onClose={() => setChecking(false)}
        />
      )}
    </form>
  )
}
