import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWaitingReload } from '#features/notifications/web/unread-count.ts'
import { fetchPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { moderationEndpoints } from '../contract.ts'
import { CaseCard } from './CaseCard.tsx'
import { ListEnd } from './ListEnd.tsx'
import { moderationText } from './text.ts'

export function CaseList() {
  const t = useText(moderationText)
  const [state, setState] = useState<'open' | 'closed'>('open')
  const query = useInfiniteQuery({
    queryKey: [moderationEndpoints.cases.path, state],
    queryFn: ({ pageParam }) => fetchPage(moderationEndpoints.cases, { state }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  useWaitingReload('report', [moderationEndpoints.cases.path])
  const cases = query.data?.pages.flatMap(({ rows }) => rows)
  const options = (['open', 'closed'] as const).map((value) => ({ value, label: t[value] }))
  return (
    <section className="card moderation-section">
      <h2 tabIndex={-1}>{t.queue}</h2>
      <SegmentedControl label={t.stateLabel} options={options} value={state} onChange={setState} onCard />
      {cases?.length === 0 && <p className="text-meta">{state === 'open' ? t.empty : t.emptyClosed}</p>}
      {cases?.map((row) => (
        <CaseCard key={row.id} row={row} />
      ))}
      <ListEnd isLoaded={cases !== undefined} showMore={t.showMore} query={query} />
    </section>
  )
}
